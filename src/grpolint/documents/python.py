"""Python scripts and notebook cells: the calls that configure training, with constants folded. Not built yet."""

from __future__ import annotations


class PythonDocument:
    """A parsed Python file."""
