"""TOML to positioned documents: values from the standard parser, places found line by line."""

from __future__ import annotations

import re
import sys
from typing import Any

from grpolint.documents.nodes import Document, Entry, Mapping, Node, Scalar, Sequence
from grpolint.documents.source import Problem, Source, Span
from grpolint.regex import regex

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found,unused-ignore]

__all__ = ["MAX_DEPTH", "parse"]

MAX_DEPTH = 100
"""Deepest nesting that is read."""

Path = tuple[str | int, ...]

_HEADER = regex(r"[ \t]*\[\[?([^\[\]\n]+)\]\]?[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)
_PAIR = regex(
    r"[ \t]*((?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*'))*)[ \t]*=[ \t]*([^\n]*)"
)
_NAME = regex(r"\"([^\"]*)\"|'([^']*)'|([\w-]+)")
_POSITION = regex(r"\(at line (\d+), column (\d+)\)")


def parse(source: Source) -> Document:
    """Read a TOML file; never raises. An error is one Problem, and the lines before it are read.

    A value whose end cannot be told from its line (a list over several lines) has the span of its key's line.
    """
    text = source.text.removeprefix("\ufeff")
    shift = len(source.text) - len(text)
    problems: list[Problem] = []
    data: dict[str, Any] | None = None
    for _ in range(2):
        try:
            data = tomllib.loads(text)
            break
        except tomllib.TOMLDecodeError as error:
            found = _POSITION.search(str(error))
            line = int(found.group(1)) if found is not None else text.count("\n") + 1
            at = sum(len(part) + 1 for part in text.split("\n")[: line - 1]) + (int(found.group(2)) - 1 if found else 0)
            if not problems:
                message = f"not valid TOML: {_POSITION.sub('', str(error)).strip()}"
                at = min(at + shift, len(source.text))
                problems.append(Problem(message, source.span(at, min(at + 1, len(source.text))), source.path))
            text = "".join(part + "\n" for part in text.split("\n")[: line - 1])
        except (RecursionError, ValueError) as error:
            problems.append(
                Problem(
                    f"not readable as TOML: {str(error)[:80] or 'nested too deeply'}", source.span(0, 0), source.path
                )
            )
            break
    if data is None:
        return Document(source, "toml", None, tuple(problems))
    builder = _Builder(source, text, shift)
    root = builder.node(data, (), Span(source, 0, len(source.text)), 0)
    return Document(source, "toml", root, tuple(problems))


class _Builder:
    """Puts places to the values."""

    def __init__(self, source: Source, text: str, shift: int) -> None:
        self.source = source
        self.places: dict[Path, tuple[Span, Span]] = {}
        self._find(text, shift)

    def _find(self, text: str, shift: int) -> None:
        prefix: Path = ()
        counts: dict[Path, int] = {}
        at = 0
        for line in text.split("\n"):
            header = _HEADER.match(line)
            pair = _PAIR.match(line) if header is None else None
            if header is not None:
                prefix = self._header(header, line, counts, at + shift)
            elif pair is not None:
                start = at + shift + pair.start(1)
                key = Span(self.source, start, start + len(pair.group(1)))
                value_start = at + shift + pair.start(2)
                value = Span(self.source, value_start, value_start + len(_value(pair.group(2))))
                self.places.setdefault((*prefix, *_names(pair.group(1))), (key, value))
            at += len(line) + 1

    def _header(self, header: re.Match[str], line: str, counts: dict[Path, int], at: int) -> Path:
        path: Path = ()
        for name in _names(header.group(1)):
            path = (*path, name)
            if path in counts:
                path = (*path, counts[path])
        if line.lstrip().startswith("[["):
            if path and isinstance(path[-1], int):
                path = path[:-1]
            counts[path] = counts.get(path, -1) + 1
            path = (*path, counts[path])
        span = Span(self.source, at + header.start(1), at + header.end(1))
        self.places.setdefault(path, (span, span))
        return path

    def node(self, value: Any, path: Path, span: Span, depth: int) -> Node:
        """A value as a node; `span` is where it stands as far as that is known."""
        if depth > MAX_DEPTH:
            return Scalar(span, span.text, None)
        if isinstance(value, dict):
            entries = []
            for key, inner in value.items():
                key_span, value_span = self.places.get((*path, key), (span, span))
                made = self.node(inner, (*path, key), value_span, depth + 1)
                whole = Span(self.source, key_span.start, max(key_span.end, value_span.end))
                entries.append(Entry(key, key_span, made, whole))
            return Mapping(span, tuple(entries))
        if isinstance(value, list):
            items = []
            for index, inner in enumerate(value):
                where = self.places.get((*path, index), (span, span))[1]
                items.append(self.node(inner, (*path, index), where, depth + 1))
            return Sequence(span, tuple(items))
        return Scalar(span, span.text, value)


def _names(text: str) -> list[str]:
    """The names of a dotted key."""
    return [found.group(1) or found.group(2) or found.group(3) or "" for found in _NAME.finditer(text)]


def _value(text: str) -> str:
    """The value at the start of a line's rest, without a comment; the whole rest if it does not end on the line."""
    text = text.rstrip()
    cut = text.find("#")
    while cut >= 0:
        try:
            tomllib.loads("x = " + text[:cut])
        except (tomllib.TOMLDecodeError, RecursionError, ValueError):
            cut = text.find("#", cut + 1) if text.count("#") < 20 else -1
        else:
            return text[:cut].rstrip()
    return text
