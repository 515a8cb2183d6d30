"""Slips of the pen around line ends: options that bash takes for a command of their own, and what cut them off."""

from __future__ import annotations

import re

from grpolint.documents.source import Source, Span
from grpolint.launch import Slip, Word
from grpolint.regex import regex
from grpolint.shell.syntax import Simple

__all__ = ["is_no_name", "is_option", "is_variable", "lost_options", "trailing_blank"]

_OPTION = regex(
    r"--[A-Za-z][\w.:-]*(?:=.*)?|(?:\+{1,2}|~)?[A-Za-z_]\w*(?:\.[\w-]+)+=.*|\+{1,2}[A-Za-z_]\w*=.*", re.DOTALL
)
_VARIABLE = regex(r"[A-Z][A-Z0-9_]+")
_COMMENT = regex(r"(?:^|(?<=[\s;]))#[^\n]*")
_BLANK_LINE = regex(r"\\\r?\n((?:[ \t]*\r?\n)+)")


def is_option(name: Word) -> bool:
    """Whether a command's name can only be an option that lost its command."""
    return _OPTION.fullmatch(name.pattern if "=" in name.prefix else name.text or "") is not None


def is_variable(name: str) -> bool:
    """Whether a command's name can only be a variable that was meant to get a value."""
    return _VARIABLE.fullmatch(name) is not None


def is_no_name(text: str) -> bool:
    """Whether bash refuses a word of `export`, because it is neither a name nor an assignment nor an option."""
    name = text.partition("=")[0].removesuffix("+")
    return not text.startswith(("-", "+")) and not (name.isidentifier() and name.isascii())


def lost_options(source: Source, before: int | None, node: Simple, words: tuple[Word, ...]) -> Slip:
    """The slip of a command whose name is an option; `before` is where the previous command ends, None without one."""
    span = Span(source, node.start, node.end)
    if before is None or before > node.start:
        return Slip("lost-options", span, words)
    why, cause = _cause(source, before, node.start)
    return Slip("lost-options", span, words, why, cause)


def _cause(source: Source, before: int, start: int) -> tuple[str, Span | None]:
    """What stands between the end of a command and the options that should have belonged to it."""
    text = source.text
    line_end = text.find("\n", before, start)
    ending = text[max(before - 2, 0) : before]
    if ending == "\\\r":
        return "carriage return", Span(source, before - 1, before)
    if ending in ("\\ ", "\\\t") and line_end >= 0:
        why = "comment" if "#" in text[before:line_end] else "blank after backslash"
        return why, Span(source, before - 1, line_end)
    gap = text[before:start]
    comment = _COMMENT.search(gap)
    if comment is not None:
        head = gap[: comment.start()].rstrip(" \t")
        if "\n" not in head or head.endswith(("\\\n", "\\\r\n")):
            return "comment", Span(source, before + comment.start(), before + comment.end())
        return "missing backslash", Span(source, line_end, line_end)
    blank = _BLANK_LINE.search(gap)
    if blank is not None:
        return "blank line", Span(source, before + blank.start(1), before + blank.end(1))
    if line_end >= 0:
        at = before + len(gap[: line_end - before].rstrip())
        return "missing backslash", Span(source, at, at)
    return "", None


def trailing_blank(source: Source, node: Simple) -> Slip | None:
    """A backslash with blanks behind it at the end of a command: the program gets a blank as an argument."""
    text = source.text
    if text[node.end - 2 : node.end] not in ("\\ ", "\\\t", "\\\r") or node.end - 2 < node.start:
        return None
    line_end = text.find("\n", node.end)
    line_end = line_end if line_end >= 0 else len(text)
    if text[node.end : line_end].strip():
        return None
    why = "carriage return" if text[node.end - 1] == "\r" else "blank after backslash"
    cause = Span(source, node.end - 1, max(line_end, node.end))
    return Slip("trailing-blank", Span(source, node.end - 2, node.end), (), why, cause)
