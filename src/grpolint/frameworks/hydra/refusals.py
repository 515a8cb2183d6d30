"""What Hydra would refuse of a command line, as complaints of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from grpolint.catalog import Table
from grpolint.frameworks.complaining import renamed_key
from grpolint.frameworks.hydra.commandline import CommandLine
from grpolint.frameworks.hydra.defaults import ComposeError
from grpolint.frameworks.hydra.overrides import Override
from grpolint.literals import placeholder
from grpolint.run import Complaint, Run

__all__ = ["Declared", "Owner", "complain", "is_slip", "likeness"]

_TYPO = 0.88
"""From this likeness on an unknown option is taken for a slip of the pen rather than for an option of a fork."""

Owner = Callable[[str], str]
"""The framework that an option belongs to."""

Declared = Callable[[str], "Table | None"]
"""The catalog's table that would declare an option."""


def is_slip(error: ComposeError) -> bool:
    """Whether an unknown option is so like a known one that it is a slip of the pen."""
    return error.kind == "unknown-key" and _alike(error.key, error.choices)


def likeness(key: str, known: Iterable[str]) -> bool:
    """Whether an option is a slip of the pen for one of all that are known; the same name elsewhere is none."""
    others = {choice.rpartition(".")[2] for choice in known}
    return key.rpartition(".")[2] not in others and _alike(key, others)


def _alike(key: str, choices: Iterable[str]) -> bool:
    from difflib import SequenceMatcher

    name = key.rpartition(".")[2]
    return any(SequenceMatcher(None, name, choice.rpartition(".")[2]).ratio() >= _TYPO for choice in choices)


def complain(
    run: Run,
    line: CommandLine,
    sweeps: Sequence[Override],
    errors: Sequence[ComposeError],
    *,
    owner: Owner,
    declared: Declared,
    certain: bool,
) -> None:
    """Complain of words that are no overrides, of sweeps without --multirun, and of what composition refused."""

    def add(kind: str, key: str, span: Any, detail: str, suggestion: str | None = None) -> None:
        run.complaints.append(Complaint(kind, owner(key), key, span, detail, suggestion, certain))

    for bad in line.bad:
        gap = placeholder(bad.word.text or "")
        if gap.startswith("<"):
            pattern = bad.word.pattern
            run.complaints.append(Complaint("placeholder", owner(pattern), pattern, bad.span, _gap(gap), None, False))
        else:
            add("bad-override", bad.word.pattern, bad.span, bad.detail)
    for sweep in sweeps:
        add("sweep", sweep.key, sweep.origins[0].span, f"{sweep.key} has several values, which only --multirun takes")
    for error in errors:
        word = error.override.word if error.override is not None else None
        if word is not None and word.condition is not None:
            continue
        choices = error.choices
        if error.kind == "missing-config":
            from difflib import get_close_matches

            choices = tuple(get_close_matches(error.key.rpartition("/")[2], choices, 1))
        options = declared(error.key) if error.kind == "unknown-key" else None
        if options is not None and renamed_key(
            run,
            options,
            error.key,
            span=word.span if word is not None else None,
            detail=f"{error.key} is not in {options.framework} {options.version}",
            certain=certain,
        ):
            continue
        add(error.kind, error.key, word.span if word is not None else None, str(error), choices[0] if choices else None)


def _gap(text: str) -> str:
    return f"{text} is a placeholder: the run starts when a value of your own stands there"
