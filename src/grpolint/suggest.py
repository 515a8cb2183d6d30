"""Did you mean."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["suggestion"]


def suggestion(word: str, choices: Iterable[str]) -> str:
    """`; did you mean 'check'?` for the nearest choice whatever its letter case, an empty text if none is near."""
    import difflib

    by_lower = {choice.lower(): choice for choice in choices}
    near = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return f"; did you mean {by_lower[near[0]]!r}?" if near else ""
