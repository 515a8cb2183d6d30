"""Where a command prints: colour, width, and what the stream cannot encode."""

from __future__ import annotations

import io
import os
import sys

from grpolint.report.terminal import Paint, painter, wants_colour

__all__ = ["NARROWEST", "WIDTH", "paint_for", "width_for"]

WIDTH = 140
"""Columns of an excerpt where the output is no terminal."""

NARROWEST = 40


def paint_for(choice: str) -> Paint:
    """The painter for standard output, which from now on escapes what its encoding lacks."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    return painter(wants_colour(choice, sys.stdout.isatty(), dict(os.environ)))


def width_for() -> int:
    """Columns of an excerpt: of COLUMNS, else of the terminal; the gutter takes its share."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and len(columns) < 10:
        return max(int(columns) - 8, NARROWEST)
    try:
        return max(os.get_terminal_size(sys.stdout.fileno()).columns - 8, NARROWEST)
    except (OSError, ValueError):
        return WIDTH
