"""Text on a terminal: colours, widths, and characters that must not get there."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Paint", "cells", "painter", "visible", "wants_colour"]

TAB = "    "
"""What a tab is shown as: excerpts do not depend on the terminal's tab stops."""

Paint = Callable[[str, str], str]
"""Takes a text and the name of its role (`error`, `gutter`, ...), gives the text to print."""

_CODES = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "secondary": "1;34",
    "gutter": "1;34",
    "bold": "1",
    "dim": "2",
    "good": "1;32",
    "added": "32",
    "removed": "31",
}


def painter(colour: bool) -> Paint:
    """A function that colours a text by its role, or leaves it alone."""

    def paint(text: str, role: str) -> str:
        code = _CODES.get(role) if colour else None
        return f"\x1b[{code}m{text}\x1b[0m" if code and text else text

    return paint


def wants_colour(choice: str, is_terminal: bool, environ: dict[str, str]) -> bool:
    """Whether to colour: `always` and `never` decide; for `auto` NO_COLOR, FORCE_COLOR, TERM=dumb, then the terminal."""
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal and environ.get("TERM") != "dumb"


def visible(text: str) -> str:
    """The text with everything that would command a terminal, or hide from the eye, written as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(char: str) -> str:
    code = ord(char)
    if 32 <= code < 127:
        return char
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if char.isprintable() or char == "\u3000":
        return char
    if char in _JOINERS:
        return char
    named = _NAMED.get(char)
    if named is not None:
        return named
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


_NAMED = {"\n": "\\n", "\r": "\\r", "\t": TAB, "\xa0": " "}
_JOINERS = "\u200c\u200d"
"""Needed between letters of some scripts and between the parts of an emoji; harmless."""


def cells(line: str) -> tuple[list[str], list[int]]:
    """How a line of a source is shown.

    Gives the text shown for each character, and the display column at which each starts, with one more column for
    the end of the line.
    """
    if line.isascii() and line.isprintable():
        return list(line), list(range(len(line) + 1))
    texts, columns, at = [], [0], 0
    for char in line:
        shown = _shown(char)
        texts.append(shown)
        at += len(shown) if shown.isascii() else _width(char)
        columns.append(at)
    return texts, columns


def _width(char: str) -> int:
    import unicodedata

    if char in _JOINERS or unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
