"""Finds evidence by the words people use for it: a rule of the handbook, a thread's ref, or a bare number."""

from __future__ import annotations

from collections.abc import Iterable

from grpolint.evidence import Cell, Stated, Thread, cells, stated, threads
from grpolint.records import Record

__all__ = ["Subject", "carriers", "cited_by", "numbered", "stated_as", "subjects", "versions", "why_silent"]


class Subject(Record):
    """What a ref stands for: its thread, where one is known, and the cells of the handbook's matrix that print it."""

    ref: str
    thread: Thread | None
    cells: tuple[Cell, ...]


def stated_as(word: str) -> Stated | None:
    """The rule of the handbook with that id, letter case aside."""
    wanted = word.upper()
    return next((each for each in stated() if each.id == wanted), None)


def numbered(word: str) -> str | None:
    """The number in `#8061` or `8061`; None for any other text."""
    number = word.removeprefix("#")
    return number if number.isascii() and number.isdigit() else None


def subjects(word: str) -> tuple[Subject, ...]:
    """Everything that goes by a ref, by `#number`, or by the name of a repository; letter case does not matter."""
    wanted, number = word.lower(), numbered(word)

    def called(ref: str) -> bool:
        if number is not None:
            return ref.endswith(f"#{number}")
        return ref.lower() == wanted or ("/" in wanted and ref.lower().startswith(f"{wanted}#"))

    known = {each.ref: each for each in threads() if called(each.ref)}
    printed: dict[str, list[Cell]] = {ref: [] for ref in known}
    for cell in cells():
        if called(cell.ref):
            printed.setdefault(cell.ref, []).append(cell)
    return tuple(Subject(ref, known.get(ref), tuple(found)) for ref, found in printed.items())


def cited_by(ref: str) -> tuple[Stated, ...]:
    """The rules of the handbook that were judged by it."""
    return tuple(each for each in stated() if ref in each.refs)


def carriers(rule: Stated) -> tuple[str, ...]:
    """Ids of grpolint's rules that carry the true part of a rule of the handbook, or of one that says the same."""
    twins = (each for other in rule.same_as if (each := stated_as(other)) is not None)
    return tuple(dict.fromkeys([*rule.rules, *(number for twin in twins for number in twin.rules)]))


def why_silent(rule: Stated) -> str:
    """One sentence: what the policy `evidence` makes of a rule of the handbook, and why."""
    found = carriers(rule)
    rest = f"what is true of it is checked by {_and(found)}" if found else ""
    if rule.grade in _REASONS:
        reason = f"As it stands it does not fire by default, because {_REASONS[rule.grade]}"
        return f"{reason}; {rest}." if rest else f"{reason}."
    if found:
        return f"{rest[0].upper()}{rest[1:]}."
    decided = "" if rule.decidable_from == "-" else f"; it takes {rule.decidable_from}"
    return f"No rule of the policy `evidence` decides what is true of it{decided}."


_REASONS = {
    "contradicted": "the evidence contradicts it",
    "opinion": "it is a preference, which no evidence decides",
    "unverified": "no source was found that bears it out",
}


def versions(thread: Thread) -> str:
    """Since and until which releases, such as `from deepspeed 0.19.2 on, fixed in deepspeed 0.19.3`; may be empty."""
    parts = [f"from {package} {version} on" for package, version in thread.introduced.items()]
    parts += [f"fixed in {package} {version}" for package, version in thread.fixed.items()]
    return ", ".join(parts)


def _and(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
