"""Comparison of release numbers with ranges such as `>=0.5,<0.9`.

The forms that releases really have are compared here, because importing a version library costs as much as a whole check;
every other form goes to `packaging`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

__all__ = ["satisfies"]

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
}


_LATE = 1_000_000_000
"""Stands for what sorts behind every number."""

Key = tuple[tuple[int, ...], int, int, int]
"""Release, place among its pre-releases, number of its post-release, number of its development release."""


def _release(text: str) -> tuple[int, ...] | None:
    pieces = text.split(".")
    if not all(piece.isascii() and piece.isdigit() for piece in pieces):
        return None
    numbers = [int(piece) for piece in pieces]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _key(text: str) -> Key | None:
    """Where a version stands in the order of PEP 440; None for a form that is left to `packaging`.

    Read here are release numbers, alone or with one of rcN, .postN and .devN behind them.
    """
    release = _release(text)
    if release is not None:
        return release, _LATE, -1, _LATE
    for mark in ("rc", ".post", ".dev"):
        head, _, number = text.partition(mark)
        if number.isascii() and number.isdigit() and (release := _release(head)) is not None:
            if mark == "rc":
                return release, int(number), -1, _LATE
            return (release, _LATE, int(number), _LATE) if mark == ".post" else (release, -1, -1, int(number))
    return None


def _lies(version: str, clause: str) -> bool | None:
    """Whether a version meets one clause of a range; None where `packaging` has to say."""
    operator = clause[:2] if clause[:2] in _COMPARE else clause[:1]
    compare, text = _COMPARE.get(operator), clause[len(operator) :].strip()
    if compare is None:
        return None
    plain, bound = _release(version), _release(text)
    if plain is not None and bound is not None:
        return compare(plain, bound)
    if text.endswith(".*") and operator in ("==", "!=") and plain is not None:
        prefix = _pieces(text[:-2])
        same = prefix is not None and (plain + (0,) * len(prefix))[: len(prefix)] == prefix
        return None if prefix is None else same == (operator == "==")
    mine, other = _key(version), _key(text)
    # What `<` and `>` leave out beside the bound (its own pre- and post-releases) is left to the library.
    if mine is None or other is None or (operator in ("<", ">") and mine[0] == other[0]):
        return None
    return compare(mine, other)


def _pieces(text: str) -> tuple[int, ...] | None:
    pieces = text.split(".")
    return tuple(map(int, pieces)) if all(piece.isascii() and piece.isdigit() for piece in pieces) else None


@lru_cache(maxsize=4096)
def satisfies(version: str, specifier: str) -> bool:
    """Whether a release lies in a PEP 440 range; an empty range holds every release, and a version that cannot be
    parsed (a commit, `main`) lies only in ranges without an upper bound.
    """
    if not specifier:
        return True
    clauses = [clause.strip() for clause in specifier.split(",") if clause.strip()]
    found = [_lies(version, clause) for clause in clauses]
    if None not in found:
        return all(found)
    from packaging.specifiers import SpecifierSet
    from packaging.version import InvalidVersion, Version

    try:
        return SpecifierSet(specifier).contains(Version(version), prereleases=True)
    except InvalidVersion:
        return not any(clause.startswith(("<", "==")) for clause in clauses)
