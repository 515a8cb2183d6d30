"""Sources and spans: the text of one file, and places in it.

Offsets are always characters of `Source.text`. Bytes that are not UTF-8 are kept as surrogates (`surrogateescape`),
so `text.encode("utf-8", "surrogateescape")` gives the file back byte for byte and an edit never changes what it
does not touch.
"""

from __future__ import annotations

import bisect
from pathlib import Path

from grpolint.records import Record

__all__ = ["MAX_BYTES", "Problem", "Source", "SourceError", "Span", "decode", "read_source"]

MAX_BYTES = 8 * 1024 * 1024
"""Largest file that is read, in bytes. Launch files are kilobytes; a larger file is data given by mistake."""


class SourceError(Exception):
    """A file that cannot be read as text at all: missing, binary, too large. `str(error)` is one sentence."""


class Source:
    """The text of one document with what is needed to name places in it.

    `path` is what messages show. A source may be text found inside another one (a here-document, the string of
    `bash -c`); then `parent` is the span it stands in and `shift` the offset in the parent's source of its first
    character, or None where the text was unquoted or expanded and characters no longer correspond.
    """

    __slots__ = ("_starts", "parent", "path", "segments", "shift", "text")

    def __init__(
        self,
        path: str,
        text: str,
        parent: Span | None = None,
        shift: int | None = None,
        segments: tuple[tuple[int, int, int], ...] = (),
    ) -> None:
        self.path = path
        self.text = text
        self.parent = parent
        self.shift = shift
        self.segments = segments
        self._starts: list[int] | None = None

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            self._starts = starts
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset, both counted from 1."""
        starts = self._line_starts()
        row = bisect.bisect_right(starts, offset) - 1
        return row + 1, offset - starts[row] + 1

    def line_text(self, line: int) -> str:
        """Line number `line` (from 1) without its line end."""
        starts = self._line_starts()
        if not 1 <= line <= len(starts):
            return ""
        end = starts[line] - 1 if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end].rstrip("\r")

    def piece(self, offset: int) -> tuple[int, int, int, int]:
        """The segment that holds a character: its start and end here, and in the parent's source."""
        index = max(bisect.bisect_right(self.segments, (offset, 1 << 62, 0)) - 1, 0)
        start, outer_start, outer_end = self.segments[index]
        end = self.segments[index + 1][0] if index + 1 < len(self.segments) else len(self.text)
        return start, end, outer_start, outer_end

    def span(self, start: int, end: int) -> Span:
        """The span from `start` up to, not including, `end`."""
        return Span(self, start, end)

    def __repr__(self) -> str:
        return f"Source({self.path!r}, {len(self.text)} chars)"


class Span(Record):
    """A piece of a source, from character `start` up to, not including, `end`."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """The characters it covers."""
        return self.source.text[self.start : self.end]

    @property
    def line(self) -> int:
        """Line of its first character in the file on disk, from 1."""
        outer = self.outer()
        return outer.source.position(outer.start)[0]

    def outer(self) -> Span:
        """The same place in the file on disk: follows here-documents and quoted scripts out to their parent."""
        span = self
        while span.source.parent is not None:
            parent, shift = span.source.parent, span.source.shift
            if span.source.segments:
                start, end, outer_start, outer_end = span.source.piece(span.start)
                first = outer_start + span.start - start if end - start == outer_end - outer_start else outer_start
                start, end, outer_start, outer_end = span.source.piece(max(span.start, span.end - 1))
                last = outer_start + span.end - start if end - start == outer_end - outer_start else outer_end
                span = Span(parent.source, first, max(first, last))
                continue
            span = parent if shift is None else Span(parent.source, span.start + shift, span.end + shift)
        return span


class Problem(Record):
    """Something in a document that could not be read; the rest of it was. `message` is one sentence."""

    message: str
    span: Span | None = None
    path: str | None = None


def decode(data: bytes, path: str) -> Source:
    """Text of a file. Takes a byte order mark into account; raises SourceError for binary or oversized data."""
    if len(data) > MAX_BYTES:
        raise SourceError(f"{path}: larger than {MAX_BYTES // 1024 // 1024} MiB, not a launch file")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return Source(path, data.decode("utf-16"))
        except UnicodeDecodeError as error:
            raise SourceError(f"{path}: neither UTF-8 nor valid UTF-16 text") from error
    if b"\0" in data:
        raise SourceError(f"{path}: binary file (NUL byte at offset {data.index(0)})")
    return Source(path, data.decode("utf-8", "surrogateescape"))


def read_source(path: Path, shown: str | None = None) -> Source:
    """Read a file; `shown` is the path that messages use. Raises SourceError with one sentence."""
    shown = shown if shown is not None else str(path)
    try:
        if not path.is_file():
            raise SourceError(f"{shown}: {'not a regular file' if path.exists() else 'no such file'}")
        if path.stat().st_size > MAX_BYTES:
            raise SourceError(f"{shown}: larger than {MAX_BYTES // 1024 // 1024} MiB, not a launch file")
        return decode(path.read_bytes(), shown)
    except OSError as error:
        raise SourceError(f"{shown}: {error.strerror or error}") from error
    except ValueError as error:  # a path with a NUL byte
        raise SourceError(f"{shown!r}: not a usable path") from error
