"""Changes: remedies in the language of settings, not of text.

A rule says *what* should be set; `grpolint.fixes` turns that into the syntax of the document and into an edit.
"""

from __future__ import annotations

from typing import Any

from grpolint.records import Record

__all__ = ["AddEnv", "Change", "RemoveOption", "RenameOption", "SetOption"]


class SetOption(Record):
    """Give an option a value, whether it is written already or not. `value` is a plain Python value."""

    framework: str
    key: str
    value: Any
    safe: bool = False


class RemoveOption(Record):
    """Take an option out of the document."""

    framework: str
    key: str
    safe: bool = False


class RenameOption(Record):
    """Write an option under its new name, keeping the value."""

    framework: str
    key: str
    new_key: str
    safe: bool = True


class AddEnv(Record):
    """Set an environment variable for the program."""

    name: str
    value: str
    safe: bool = False


Change = SetOption | RemoveOption | RenameOption | AddEnv
"""`safe` is true only if the change cannot alter the training result, or strictly prevents a crash."""
