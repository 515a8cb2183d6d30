"""One call of a command whose output is computed from its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grpolint.shell.pieces import Piece, Text, known

if TYPE_CHECKING:
    from grpolint.shell.context import Context

__all__ = ["Call", "as_line", "unescape"]

_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}


class Call:
    """One call of a command: its arguments, its standard input (None if it is the terminal), its success."""

    __slots__ = ("arguments", "name", "shell", "status", "stdin")

    def __init__(self, shell: Context, name: str, arguments: list[Text], stdin: Text | None) -> None:
        self.shell = shell
        self.name = name
        self.arguments = arguments
        self.stdin = stdin
        self.status = True

    def strings(self) -> list[str] | None:
        """All arguments as plain strings, None if one of them is not known."""
        found: list[str] = []
        for argument in self.arguments:
            text = known(argument)
            if text is None:
                return None
            found.append(text)
        return found

    def input(self) -> str | None:
        """The whole standard input, None if it is not known."""
        return known(self.stdin) if self.stdin is not None else None

    def options(self, flags: str, valued: str = "") -> tuple[dict[str, str], list[Text]] | None:
        """Leading short options: flags and those with a value. None for anything else that begins with a dash."""
        found: dict[str, str] = {}
        at = 0
        while at < len(self.arguments):
            text = known(self.arguments[at])
            if text is None or not text.startswith("-") or text == "-":
                break
            at += 1
            if text == "--":
                break
            if text.startswith("--"):
                return None
            index = 1
            while index < len(text):
                letter = text[index]
                index += 1
                if letter in flags:
                    found[letter] = ""
                elif letter in valued:
                    value = text[index:]
                    if not value:
                        if at >= len(self.arguments):
                            return None
                        value = known(self.arguments[at]) or ""
                        at += 1
                    found[letter] = value
                    break
                else:
                    return None
        return found, self.arguments[at:]


def as_line(text: Text) -> Text:
    """A text with its line end."""
    return (*text, Piece("\n"))


def unescape(text: str, octal: bool = False) -> str:
    """The escapes of `echo -e` resolved; with `octal` those of a template of `printf`, where no zero must lead."""

    def resolve(match: re.Match[str]) -> str:
        kind = match.group(1)
        if kind[0] == "x" and len(kind) > 1:
            return chr(int(kind[1:], 16))
        if kind[0] == "0" or (octal and kind[0] in "1234567"):
            return chr(int(kind, 8) & 0xFF)
        return _ESCAPES.get(kind, match.group())

    return re.sub(r"\\(x[0-9A-Fa-f]{1,2}|0[0-7]{1,3}|[1-7][0-7]{0,2}|.)", resolve, text, flags=re.DOTALL)
