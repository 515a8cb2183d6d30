"""A line on the terminal that says how far a long walk has come, and is gone at the end."""

from __future__ import annotations

import sys
import time

from grpolint.report.terminal import visible

__all__ = ["Progress"]

PATIENCE = 0.5
"""Seconds before the line appears: a short walk shows none."""


class Progress:
    """Writes to standard error, and only if that is a terminal."""

    def __init__(self, on: bool) -> None:
        self._on = on and sys.stderr.isatty()
        self._next = time.monotonic() + PATIENCE
        self._shown = False

    def at(self, number: int, path: str) -> None:
        """Say which file is being read, at most ten times a second."""
        if not self._on or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.1
        self._shown = True
        name = visible(path)
        sys.stderr.write(f"\r\x1b[Kreading file {number}: {name[-60:]}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away, before something else is printed and at the end."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
