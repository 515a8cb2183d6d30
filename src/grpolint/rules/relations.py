"""Relations between settings that many frameworks demand: one size a multiple of another, one not below another, some
conditions never together.

A rule states its terms and the sentence; what is asked, in which order, how the equation reads and where the finding
points is the same everywhere. Terms are asked in the order given and the first absent one ends the question, so the
cheap and deciding ones come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from grpolint.changes import Change
from grpolint.findings import Finding, Severity
from grpolint.records import Record
from grpolint.rules.api import Inquiry, Place

__all__ = [
    "Condition",
    "Size",
    "Term",
    "absent",
    "at_least",
    "divisors",
    "equals",
    "minimum",
    "multiple",
    "off",
    "on",
    "together",
]


_MACHINES = 1 << 16
"""Devices of the largest cluster: what is offered as a parallel size is below."""


class Term(Record):
    """A whole number that a relation is about: where it is asked, what the equation calls it, a label for its place.

    `assume` stands in for an absent one (a parallel size that nobody sets is 1); without it the relation does not hold.
    """

    ref: str
    name: str
    label: str = ""
    assume: int | None = None

    def value(self, run: Inquiry) -> int | None:
        """Its value; None where there is none. Raises Undecided if it is unknown."""
        found = run.integer(self.ref)
        return self.assume if found is None else found

    @property
    def place(self) -> Place:
        """Where it stands."""
        return (self.ref, self.label)


class Size(Record):
    """A product of terms, with the equation that shows how it came about. Factors of 1 are not shown."""

    value: int
    equation: str
    places: tuple[Place, ...] = ()

    @classmethod
    def of(cls, run: Inquiry, *terms: Term) -> Size | None:
        """The product; None where a term is absent. Raises Undecided if one is unknown."""
        product = 1
        shown = []
        for term in terms:
            number = term.value(run)
            if number is None:
                return None
            product *= number
            if number != 1 or len(terms) == 1:
                shown.append((term, number))
        if not shown:
            shown = [(terms[0], product)]
        equation = " * ".join(f"{term.name} {number}" for term, number in shown)
        if len(shown) > 1:
            equation += f" = {product}"
        return cls(product, equation, tuple(term.place for term, _ in shown))


def divisors(number: int, most: int) -> list[int]:
    """Divisors of a number of at most `most`, the smallest first; those beyond the size of all machines are left out."""
    return [each for each in range(1, min(abs(number), most, _MACHINES) + 1) if number % each == 0]


def multiple(
    run: Inquiry,
    whole: Size | None,
    part: Size | None,
    why: str,
    *,
    help: str = "",  # noqa: A002
    notes: tuple[str, ...] = (),
    changes: tuple[Change, ...] = (),
    severity: Severity | None = None,
) -> Iterator[Finding]:
    """A finding if `whole` is not a multiple of `part`; `why` says who demands it."""
    if whole is None or part is None or part.value < 1 or whole.value % part.value == 0:
        return
    yield run.finding(
        f"{whole.equation} is not a multiple of {part.equation}: {why}",
        *whole.places,
        *part.places,
        help=help,
        notes=notes,
        changes=changes,
        severity=severity,
    )


def at_least(
    run: Inquiry,
    size: Size | None,
    least: Size | None,
    why: str,
    *,
    help: str = "",  # noqa: A002
    notes: tuple[str, ...] = (),
    changes: tuple[Change, ...] = (),
    severity: Severity | None = None,
) -> Iterator[Finding]:
    """A finding if `size` is below `least`."""
    if size is None or least is None or size.value >= least.value:
        return
    yield run.finding(
        f"{size.equation} < {least.equation}: {why}",
        *size.places,
        *least.places,
        help=help,
        notes=notes,
        changes=changes,
        severity=severity,
    )


class Condition(Record):
    """Something that holds for one quantity or not. An unknown quantity makes the rule undecided."""

    ref: str
    holds: Callable[[Inquiry, str], bool]
    label: str = ""

    @property
    def place(self) -> Place:
        """Where it stands."""
        return (self.ref, self.label)


def on(ref: str, label: str = "") -> Condition:
    """A switch that is on."""
    return Condition(ref, lambda run, name: run.flag(name) is True, label)


def off(ref: str, label: str = "") -> Condition:
    """A switch that is off; one that does not exist is neither on nor off."""
    return Condition(ref, lambda run, name: run.flag(name) is False, label)


def equals(ref: str, *values: Any, label: str = "") -> Condition:
    """A quantity with one of these values; texts are compared in lower case."""

    def holds(run: Inquiry, name: str) -> bool:
        found = run.known(name)
        return (found.lower() if isinstance(found, str) else found) in values

    return Condition(ref, holds, label)


def minimum(ref: str, least: float, label: str = "") -> Condition:
    """A number of at least that much."""

    def holds(run: Inquiry, name: str) -> bool:
        found = run.number(name)
        return found is not None and found >= least

    return Condition(ref, holds, label)


def absent(ref: str, label: str = "") -> Condition:
    """A quantity that is null, empty or does not exist."""
    return Condition(ref, lambda run, name: run.known(name) in (None, "", []), label)


def together(
    run: Inquiry,
    message: str,
    *conditions: Condition,
    help: str = "",  # noqa: A002
    notes: tuple[str, ...] = (),
    changes: tuple[Change, ...] = (),
    severity: Severity | None = None,
) -> Iterator[Finding]:
    """A finding if all conditions hold: what a framework refuses or ignores in combination."""
    if all(condition.holds(run, condition.ref) for condition in conditions):
        places = [condition.place for condition in conditions]
        yield run.finding(message, *places, help=help, notes=notes, changes=changes, severity=severity)
