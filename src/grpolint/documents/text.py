"""Texts folded from Python string expressions, piece by piece, so that a part of a command line keeps its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from grpolint.documents.source import Source, Span
from grpolint.records import Record
from grpolint.regex import regex

__all__ = ["Piece", "Text", "join", "literal", "literal_parts"]

Segments = tuple[tuple[int, int, int], ...]


class Piece(Record):
    """A stretch of a text: known characters, or one unknown.

    Exactly one of `text` and `unknown` is set; `unknown` is a reason as in values.Unknown, and `default` the characters
    that hold where nobody interferes. `segments` map known characters to the literal, as in Source.
    """

    span: Span
    text: str | None = None
    unknown: str | None = None
    default: str | None = None
    segments: Segments = ()


class Text(Record):
    """A string that an expression makes, known wholly or in part. `span` is the whole expression."""

    span: Span
    pieces: tuple[Piece, ...]

    @property
    def known(self) -> str | None:
        """The whole text if every piece is known, else None."""
        if any(piece.text is None for piece in self.pieces):
            return None
        return "".join(piece.text or "" for piece in self.pieces)

    @property
    def default(self) -> str | None:
        """The text where nobody interferes, None if a piece has no default."""
        parts = [piece.text if piece.text is not None else piece.default for piece in self.pieces]
        return None if None in parts else "".join(part or "" for part in parts)

    @property
    def reason(self) -> str | None:
        """Reason of the first unknown piece."""
        return next((piece.unknown for piece in self.pieces if piece.unknown is not None), None)

    def source(self, stand_in: Callable[[Piece], str]) -> Source:
        """The text as a source whose spans lead back to the literals; an unknown piece is written as `stand_in` says."""
        chunks: list[str] = []
        segments: list[tuple[int, int, int]] = []
        at = 0
        for piece in self.pieces:
            chunk = piece.text if piece.text is not None else stand_in(piece)
            if not chunk:
                continue
            if piece.text is not None and piece.segments:
                segments.extend((at + offset, start, end) for offset, start, end in piece.segments)
            else:
                segments.append((at, piece.span.start, piece.span.end))
            chunks.append(chunk)
            at += len(chunk)
        return Source(self.span.source.path, "".join(chunks), self.span, None, tuple(segments))


def join(span: Span, parts: Iterable[Text]) -> Text:
    """Several texts as one; empty pieces are dropped."""
    return Text(span, tuple(piece for part in parts for piece in part.pieces if piece.text != ""))


_OPENING = regex(r"(?:[ \t\f\r\n()]|\\\r?\n|#[^\n]*\n)*([rRbBuUfF]{0,2})(\"\"\"|'''|\"|')")
_ESCAPE = regex(r"\\(?:\r\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def _unescape(escape: str) -> str | None:
    r"""What an escape stands for; None for those that are not taken apart (`\\N{...}`)."""
    body = escape[1:]
    if body in {"\n", "\r\n"}:
        return ""
    if body in _SIMPLE:
        return _SIMPLE[body]
    if body[0] in "xuU" and len(body) > 1:
        code = int(body[1:], 16)
        return chr(code) if code < 0x110000 else None
    if body[0] in "01234567":
        return chr(int(body, 8))
    return None if body[0] in "NxuU" else escape


def literal(span: Span, value: str) -> Piece:
    """The piece that a string literal (or several side by side) makes; characters keep their place if possible."""
    parts = literal_parts(span)
    if parts is not None and len(parts) == 1 and parts[0][0] == value:
        return Piece(span, value, segments=parts[0][1])
    return Piece(span, value)


def literal_parts(span: Span) -> list[tuple[str | None, Segments, Span]] | None:
    """Takes the tokens of a string literal or f-string apart: known stretches, and (None) replacement fields.

    Neighbouring stretches are one. Segments are relative to their stretch. None if the tokens are not understood; the
    caller compares the result with what the Python parser says.
    """
    text, at, end = span.source.text, span.start, span.end
    parts: list[tuple[str | None, Segments, Span]] = []
    chunks: list[str] = []
    segments: list[tuple[int, int, int]] = []
    length = 0

    def flush(start: int) -> None:
        nonlocal chunks, segments, length
        if chunks:
            parts.append(("".join(chunks), tuple(segments), Span(span.source, segments[0][1], start)))
        chunks, segments, length = [], [], 0

    while at < end:
        opening = _OPENING.match(text, at, end)
        if opening is None:
            break
        prefix, quote = opening.group(1).lower(), opening.group(2)
        at = opening.end()
        raw, formatted = "r" in prefix, "f" in prefix
        stop = re.compile(
            re.escape(quote) + (r"|\\" if not raw else r"|\\.") + (r"|[{}]" if formatted else "") + r"|\r\n?"
        )
        while True:
            found = stop.search(text, at, end)
            if found is None:
                return None
            value: str | None = None
            if raw and found.group()[0] == "\\":
                found = re.compile(r"\\.", re.DOTALL).match(text, found.start())
                if found is None:
                    return None
                value = found.group()
            if found.start() > at:
                chunks.append(text[at : found.start()])
                segments.append((length, at, found.start()))
                length += found.start() - at
            at = found.start()
            mark = found.group()
            if mark == quote:
                at = found.end()
                break
            until = found.end()
            if mark[0] == "\r":
                value = "\n"
            elif mark == "\\":
                escape = _ESCAPE.match(text, at, end)
                value = _unescape(escape.group()) if escape is not None else None
                if escape is None or value is None:
                    return None
                until = escape.end()
            elif mark in "{}":
                if text.startswith(mark * 2, at):
                    value, until = mark, at + 2
                else:
                    until = _field_end(text, at, end)
                    if mark == "}" or until < 0:
                        return None
                    flush(at)
                    parts.append((None, (), Span(span.source, at, until)))
                    at = until
                    continue
            if value:
                chunks.append(value)
                segments.append((length, at, until))
                length += len(value)
            at = until
    flush(at)
    return parts


def _field_end(text: str, at: int, end: int) -> int:
    """Offset after the closing brace of a replacement field that opens at `at`; -1 if it is not found."""
    depth = 0
    while at < end:
        mark = text[at]
        if mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth -= 1
            if depth == 0:
                return at + 1
        elif mark in "\"'":
            quote = mark * 3 if text.startswith(mark * 3, at) else mark
            close = text.find(quote, at + len(quote), end)
            if close < 0:
                return -1
            at = close + len(quote) - 1
        at += 1
    return -1
