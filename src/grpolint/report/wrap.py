"""Sentences broken into lines for a terminal. Links and options are never broken."""

from __future__ import annotations

from textwrap import wrap

__all__ = ["wrapped"]


def wrapped(text: str, width: int, indent: str) -> list[str]:
    """The lines of a text, each with the indent, none wider than `width` unless a single word is."""
    return wrap(
        text,
        max(width, 40),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
