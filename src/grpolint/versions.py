"""Comparison of release numbers with ranges such as `>=0.5,<0.9`.

Ordinary release numbers (digits and dots) are compared here, because importing a version library costs as much as a
whole check; every other form goes to `packaging`.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["satisfies"]

_COMPARE = {
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
}


def _release(text: str) -> tuple[int, ...] | None:
    pieces = text.split(".")
    if not all(piece.isascii() and piece.isdigit() for piece in pieces):
        return None
    numbers = [int(piece) for piece in pieces]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


@lru_cache(maxsize=4096)
def satisfies(version: str, specifier: str) -> bool:
    """Whether a release lies in a PEP 440 range; an empty range holds every release, and a version that cannot be
    parsed (a commit, `main`) lies only in ranges without an upper bound.
    """
    if not specifier:
        return True
    release = _release(version)
    clauses = [clause.strip() for clause in specifier.split(",") if clause.strip()]
    plain = []
    for clause in clauses:
        operator = clause[:2] if clause[:2] in _COMPARE else clause[:1]
        bound = _release(clause[len(operator) :].strip()) if operator in _COMPARE else None
        plain.append((operator, bound))
    if release is not None and all(bound is not None for _, bound in plain):
        return all(_COMPARE[operator](release, bound) for operator, bound in plain)
    from packaging.specifiers import SpecifierSet
    from packaging.version import InvalidVersion, Version

    try:
        return SpecifierSet(specifier).contains(Version(version), prereleases=True)
    except InvalidVersion:
        return not any(clause.startswith(("<", "==")) for clause in clauses)
