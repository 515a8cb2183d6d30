"""What kept rules from deciding: the unknown values, why they are unknown, and which option supplies them."""

from __future__ import annotations

from grpolint.check import Report
from grpolint.findings import Outcome
from grpolint.records import Record
from grpolint.report.terminal import Paint, visible
from grpolint.report.unknown import supply, why

__all__ = ["Missing", "missing", "undecided"]


class Missing(Record):
    """A value that kept rules from deciding: its reference, why it is unknown, and the ids of those rules."""

    ref: str
    reason: str
    rules: tuple[str, ...]


def missing(report: Report) -> list[Missing]:
    """The unknown values that kept rules undecided, each once, in the order met."""
    rules: dict[tuple[str, str], dict[str, None]] = {}
    for _, result in report.results:
        if result.outcome is Outcome.UNDECIDED:
            for text in result.missing:
                ref, _, rest = text.partition(" (")
                rules.setdefault((ref, rest.removesuffix(")")), {})[result.rule] = None
    return [Missing(ref, reason, tuple(ids)) for (ref, reason), ids in rules.items()]


def undecided(path: str, values: list[Missing], paint: Paint) -> str:
    """What kept checks of one file undecided: each unknown value, why, which option supplies it, which rules wait."""
    lines = [f"{paint('undecided', 'bold')} in {visible(path)}:"]
    for value in values:
        option = supply(value.ref, value.reason)
        name = value.ref.removeprefix("fact:").replace("_", " ") if value.ref.startswith("fact:") else value.ref
        lines.append(f"  {visible(name)}: {visible(why(value.reason))}")
        hint = f"give {paint(visible(option), 'bold')} to decide " if option else "needed by "
        lines.append(f"    {hint}{', '.join(value.rules)}")
    return "\n".join(lines)
