"""What kept rules from deciding: the unknown values, why they are unknown, and which option supplies them."""

from __future__ import annotations

from grpolint.check import Report
from grpolint.findings import Outcome
from grpolint.records import Record
from grpolint.report.terminal import Paint, visible
from grpolint.report.unknown import supply, why

__all__ = ["Missing", "missing", "undecided"]


_FEW = 3
"""More values than these with one cause are told together."""


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
    for value in _joined(values):
        option = supply(value.ref, value.reason) if "," not in value.ref else ""
        name = _name(value.ref)
        reason = visible(why(value.reason))
        if value.ref.startswith("version:"):
            name, reason = f"release of {value.ref.partition(':')[2]}", reason or "nothing near the launch names it"
        if value.ref.startswith("program:"):
            name, reason = value.ref.partition(":")[2], reason or "a trainer of its own, which may count otherwise"
        lines.append(f"  {visible(name)}: {reason}" if reason else f"  {visible(name)}")
        hint = f"give {paint(visible(option), 'bold')} to decide " if option else "needed by "
        lines.append(f"    {hint}{', '.join(value.rules)}")
    return "\n".join(lines)


def _joined(values: list[Missing]) -> list[Missing]:
    """Values that all have one cause that nobody can supply value by value, such as a fork, as one entry."""
    causes: dict[str, list[Missing]] = {}
    for value in values:
        if value.reason.partition(":")[0] in ("fork", "program"):
            causes.setdefault(value.reason, []).append(value)
    joined: list[Missing] = []
    for value in values:
        same = causes.get(value.reason, [value])
        if len(same) <= _FEW:
            joined.append(value)
        elif value is same[0]:
            rules = dict.fromkeys(rule for each in same for rule in each.rules)
            joined.append(Missing(f"{len(same)} values, such as {_name(value.ref)}", value.reason, tuple(rules)))
    return joined


def _name(ref: str) -> str:
    """A reference as people read it: a fact in words, an option as it is."""
    return ref.removeprefix("fact:").replace("_", " ") if ref.startswith("fact:") else ref
