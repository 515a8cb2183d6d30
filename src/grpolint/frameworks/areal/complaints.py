"""What an AReaL program refuses: overrides of keys that its YAML does not have, keys that its dataclasses do not have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from grpolint.catalog import Table
from grpolint.documents.source import Source
from grpolint.frameworks.complaining import renamed_key, unknown_key
from grpolint.frameworks.hydra.commandline import CommandLine
from grpolint.frameworks.hydra.compose import Composition
from grpolint.frameworks.hydra.defaults import ComposeError
from grpolint.frameworks.hydra.refusals import complain
from grpolint.frameworks.hydra.tree import Leaf, leaves
from grpolint.records import replace
from grpolint.run import Complaint, Run

__all__ = ["complain_of_keys", "complain_of_overrides"]


def complain_of_overrides(
    run: Run, line: CommandLine, made: Composition, errors: Sequence[ComposeError], source: Source | None
) -> None:
    """Complain of what Hydra refuses. An option that only the dataclasses have needs a `+`: the YAML is all that Hydra
    knows.
    """
    options = next(iter(run.settings["areal"].tables), None)
    others = []
    for error in errors:
        word = error.override.word if error.override is not None else None
        if error.kind != "unknown-key" or options is None or error.key not in options or word is None:
            others.append(error)
        elif word.condition is None:
            file = PurePath(source.path).name if source is not None else "the configuration"
            detail = (
                f"{error.key} stands nowhere in {file}, and Hydra sets only what is there unless it is added with +"
            )
            run.complaints.append(Complaint("unknown-key", "areal", error.key, word.span, detail, "+" + error.key))
    complain(run, line, made.sweeps, others, owner=lambda _key: "areal", declared=lambda _key: options, certain=True)


def complain_of_keys(run: Run, made: Composition, options: Table | None, *, sure: bool) -> None:
    """Complain of keys that the dataclasses do not have. `sure` says that the program uses AReaL's own class: others may
    have further sections and other types for them.
    """
    from grpolint.frameworks.areal.compose import declared

    if options is None:
        return
    version = run.settings["areal"].version
    told_of = {error.key for error in made.refused}
    for path, node in leaves(made.tree):
        key = ".".join(path)
        if key in told_of or declared(options, key) or not isinstance(node, Leaf):
            continue
        section = key.rpartition(".")[0]
        detail = f"AReaL {version.text} refuses {key}"
        if renamed_key(run, options, key, span=node.span, detail=detail, certain=not version.assumed):
            told = run.complaints[-1]
            if told.suggestion is not None and any(name.startswith(told.suggestion + ".") for name in options):
                run.complaints[-1] = replace(told, suggestion=None)  # a section takes no single value
            continue
        unknown_key(
            run,
            "areal",
            key,
            span=node.span,
            detail=f"{detail}: {section} has no such option",
            known=[name for name in options if name.rpartition(".")[0] == section],
            certain=sure and not version.assumed,
        )
