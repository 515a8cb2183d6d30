"""The matrix of frameworks and classes of faults, and which classes a run is exposed to."""

from __future__ import annotations

from grpolint.check import find_entry, judge, load
from grpolint.evidence import Cell, Pattern, cells, patterns, thread
from grpolint.findings import Outcome, Result
from grpolint.reader import Reading
from grpolint.records import Record
from grpolint.run import Run

__all__ = ["COLUMNS", "Exposure", "exposures", "frameworks_of", "held_by", "patterns_of"]

COLUMNS = ("deepspeed", "megatron", "vllm", "verl", "sglang", "rllm", "mindie")
"""The columns of the handbook's matrix; its `SLLM` is SGLang."""

_WORST = (Outcome.FAIL, Outcome.WARN, Outcome.UNDECIDED, Outcome.PASS, Outcome.NOT_APPLICABLE)


class Exposure(Record):
    """One class of faults on one run: the worst outcome of its rules, and the rules with theirs.

    Not applicable where no rule of the class concerns the frameworks of the run.
    """

    pattern: Pattern
    run: Run
    outcome: Outcome
    results: tuple[Result, ...]


def frameworks_of(pattern: Pattern) -> tuple[str, ...]:
    """Frameworks that really have a report of a class, in the order of the columns, others behind."""
    found = dict.fromkeys(cell.framework for cell in cells() if cell.pattern == pattern.name)
    return (*(name for name in COLUMNS if name in found), *(name for name in found if name not in COLUMNS))


def held_by(pattern: Pattern, framework: str) -> tuple[Cell, ...]:
    """The reports of a class that belong to a framework, each once."""
    found = {
        cell.ref: cell for cell in reversed(cells()) if (cell.pattern, cell.framework) == (pattern.name, framework)
    }
    return tuple(reversed(found.values()))


def patterns_of(bug: str) -> tuple[str, tuple[Pattern, ...]] | None:
    """The full ref behind `owner/repo#N` or `#N`, and the classes it stands in; None if no cell has it.

    Raises ValueError for a bare number that several repositories have.
    """
    wanted = bug.lower()
    refs = dict.fromkeys(
        cell.ref for cell in cells() if cell.ref.lower() == wanted or (bug.startswith("#") and cell.ref.endswith(bug))
    )
    if len(refs) > 1:
        raise ValueError(f"{bug} is {' or '.join(refs)}")
    for ref in refs:
        names = {cell.pattern for cell in cells() if cell.ref == ref}
        return ref, tuple(pattern for pattern in patterns() if pattern.name in names)
    known = thread(bug)
    return (known.ref, ()) if known is not None else None


def exposures(reading: Reading) -> list[Exposure]:
    """Every class of faults on every run of a file, by grpolint's own rules of that class."""
    found = []
    for run in reading.runs:
        for pattern in patterns():
            entries = [entry for name in pattern.rules if (entry := find_entry(name)) is not None]
            results = [judge(load(entry), run) for entry in entries if _concerns(entry.frameworks, run)]
            outcome = next((each for each in _WORST if any(result.outcome is each for result in results)), None)
            found.append(Exposure(pattern, run, outcome or Outcome.NOT_APPLICABLE, tuple(results)))
    return found


def _concerns(frameworks: dict[str, str], run: Run) -> bool:
    from grpolint.check import applies

    return applies(frameworks, {name: settings.version.text for name, settings in run.settings.items()})
