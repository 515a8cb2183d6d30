"""Which program of open-instruct a launch starts, with what arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grpolint.catalog import Table
from grpolint.frameworks.flags import Syntax
from grpolint.launch import Launch, Word
from grpolint.records import Record

__all__ = ["Command", "started", "syntax"]

_ENDS = ("&&", "||", ";", "|")


class Command(Record):
    """A program by its name (`grpo_fast`), its arguments, and those of mason.py before it (empty without)."""

    name: str
    argv: tuple[Word, ...]
    mason: tuple[Word, ...] = ()


def started(launch: Launch, pattern: str) -> Command | None:
    """The program of open-instruct that a launch starts; None for other launches."""
    if re.fullmatch(pattern, launch.program):
        return Command(_name(launch.program), launch.argv)
    if launch.program.rsplit("/", 1)[-1] != "mason.py":
        return None
    words = list(launch.argv)
    split = next((at for at, word in enumerate(words) if word.text == "--"), None)
    if split is None:
        return None
    for at in range(split + 1, len(words)):
        text = words[at].text
        if text is not None and text.endswith(".py") and re.fullmatch(pattern, text):
            rest = words[at + 1 :]
            end = next((place for place, word in enumerate(rest) if word.text in _ENDS), len(rest))
            return Command(_name(text), tuple(rest[:end]), tuple(words[:split]))
    return None


def _name(program: str) -> str:
    return re.split(r"[./]", program.removesuffix(".py"))[-1]


def syntax(tables: Sequence[Table]) -> Syntax:
    """How the programs read their command lines: transformers' parser of dataclasses."""
    return Syntax("open-instruct", tuple(tables), bool_values=True, abbreviations=True)
