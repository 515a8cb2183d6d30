"""Did you mean."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["slip", "suggestion"]

_EDITS = 2
"""More letters than these do not slip."""

_LONGEST = 200
"""Letters of the longest name of anything; a longer word is none, and comparing it takes long."""


def suggestion(word: str, choices: Iterable[str]) -> str:
    """`; did you mean 'check'?` for the nearest choice whatever its letter case, an empty text if none is near."""
    if len(word) > _LONGEST:
        return ""
    import difflib

    by_lower = {choice.lower(): choice for choice in choices}
    near = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return f"; did you mean {by_lower[near[0]]!r}?" if near else ""


def slip(word: str, meant: str) -> bool:
    """Whether a name is a slip of the pen for another: a letter or two amiss, or its words in another order.

    A whole word more, less or other is none: programs that extend a framework name their own options like its.
    """
    word, meant = word.lower().replace("-", "_"), meant.lower().replace("-", "_")
    if sorted(word.split("_")) == sorted(meant.split("_")):
        return True
    return _distance(word, meant) <= min(_EDITS, max(1, len(meant) // 4))


def _distance(one: str, other: str) -> int:
    """Letters to insert, leave out, replace or swap with their neighbour; beyond `_EDITS` any greater number."""
    if abs(len(one) - len(other)) > _EDITS:
        return _EDITS + 1
    before: list[int] = []
    above = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, theirs in enumerate(other, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (letter != theirs)))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == theirs:
                row[-1] = min(row[-1], before[j - 2] + 1)
        before, above = above, row
    return above[-1]
