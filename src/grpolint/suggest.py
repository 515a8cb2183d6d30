"""Did you mean."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["suggestion"]


def suggestion(word: str, choices: Iterable[str]) -> str:
    """`; did you mean 'check'?` for the nearest choice, an empty text if none is near."""
    import difflib

    near = difflib.get_close_matches(word.lower(), list(choices), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
