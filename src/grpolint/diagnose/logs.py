"""Logs: read in chunks of whole lines, never as a whole, plain or compressed, up to a limit that is said."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from typing import Protocol

from grpolint.documents.source import Source
from grpolint.records import Record
from grpolint.regex import regex

__all__ = ["CHUNK", "HEAD", "TAIL", "Chunk", "Log", "LogError", "bare", "open_log"]

CHUNK = 1024 * 1024
"""Bytes read at a time; a longer line is cut there."""

HEAD = 64 * CHUNK
"""Bytes that are read from the beginning of a log: what went wrong at the start stands there."""

TAIL = 64 * CHUNK
"""Bytes that are read from its end: what ended the run stands there. Of what cannot seek only the beginning is read."""


class LogError(Exception):
    """A log that cannot be read: missing, binary, of an unknown compression. `str(error)` is one sentence."""


class Chunk(Record):
    """Whole lines of a log. `line` is the number of its first one, from 1."""

    data: bytes
    line: int


class _Reader(Protocol):
    def read(self, size: int, /) -> bytes: ...


_Opener = Callable[[], AbstractContextManager[_Reader]]
"""Opens a log for reading."""


class Log:
    """One log: `chunks` may be walked once. `notes` say afterwards what was left out."""

    def __init__(self, path: str, opened: _Opener, size: int | None = None) -> None:
        """`path` is what messages show; `size` is given for what can seek."""
        self.path = path
        self.notes: list[str] = []
        self._opened = opened
        self._size = size

    @classmethod
    def of(cls, source: Source) -> Log:
        """The log whose text a source holds."""
        data = source.text.encode("utf-8", "surrogateescape")
        return cls(source.path, lambda: io.BytesIO(data), len(data))

    def chunks(self) -> Iterator[Chunk]:
        """Its lines in order. Raises LogError where the file ends in the middle of its compression, or is no text."""
        try:
            with self._opened() as file:
                yield from self._walk(file)
        except EOFError:
            self.notes.append(f"{self.path}: the compressed file is cut off; what could be read of it was read")
        except _damaged() as error:
            raise LogError(f"{self.path}: {getattr(error, 'strerror', None) or error}") from error

    def _walk(self, file: _Reader) -> Iterator[Chunk]:
        whole = self._size is not None and self._size <= HEAD + TAIL
        limit = HEAD + TAIL if whole or self._size is None else HEAD
        line = 1
        for chunk in _lines(file, limit, line):
            line = chunk.line + chunk.data.count(b"\n")
            yield chunk
        if whole:
            return
        if self._size is None:
            if file.read(1):
                self.notes.append(f"{self.path}: only the first {_mib(limit)} of it were read")
            return
        left = self._size - HEAD - TAIL
        self.notes.append(
            f"{self.path}: of its {_mib(self._size)} the first {_mib(HEAD)} and the last {_mib(TAIL)} were read"
        )
        while left > 0 and (data := file.read(min(CHUNK, left))):  # only counted, so that line numbers stay true
            line += data.count(b"\n")
            left -= len(data)
        yield from _lines(file, TAIL, line)


def _lines(file: _Reader, limit: int, line: int) -> Iterator[Chunk]:
    rest = b""
    while limit > 0 and (data := file.read(min(CHUNK, limit))):
        limit -= len(data)
        rest += data
        end = rest.rfind(b"\n") + 1
        if not end and len(rest) < CHUNK:
            continue
        end = end or len(rest)
        yield Chunk(rest[:end], line)
        line += rest.count(b"\n", 0, end)
        rest = rest[end:]
    if rest:
        yield Chunk(rest, line)


def _mib(size: int) -> str:
    return f"{size / CHUNK:.0f} MiB"


def open_log(path: str) -> Log:
    """The log at `path`, `-` for standard input. Raises LogError for what is missing, a folder or no text."""
    if path == "-":
        import sys

        return Log("<stdin>", lambda: nullcontext(sys.stdin.buffer))
    try:
        if not os.path.isfile(path):
            raise LogError(f"{path}: {'not a regular file' if os.path.exists(path) else 'no such file'}")
        with open(path, "rb") as file:
            start = file.read(65536)
        size = os.path.getsize(path)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL byte
        raise LogError(f"{path!r}: {getattr(error, 'strerror', None) or error}") from error
    opener, seekable = _opener(path, start)
    return Log(path, opener, size if seekable else None)


def _damaged() -> tuple[type[Exception], ...]:
    """What reading raises: the system, and unpackers of a file that is damaged."""
    import lzma
    import zlib

    return OSError, zlib.error, lzma.LZMAError


def _opener(path: str, start: bytes) -> tuple[_Opener, bool]:
    """How to open a file that begins with `start`, and whether it can seek."""
    if start[:2] == b"\x1f\x8b":
        import gzip

        return lambda: gzip.open(path, "rb"), False
    if start[:3] == b"BZh":
        import bz2

        return lambda: bz2.open(path, "rb"), False
    if start[:6] == b"\xfd7zXZ\x00":
        import lzma

        return lambda: lzma.open(path, "rb"), False
    if start[:4] == b"\x28\xb5\x2f\xfd":
        raise LogError(f"{path}: compressed with zstd, which is not read; decompress it first (zstd -d)")
    if start[:4] == b"PK\x03\x04":
        raise LogError(f"{path}: a zip archive; unpack it first")
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return lambda: closing(_Utf16(open(path, "rb"))), False
    if b"\0" in start:
        raise LogError(f"{path}: binary file (NUL byte at offset {start.index(0)}), not a log")
    return lambda: open(path, "rb"), True


class _Utf16:
    """A UTF-16 file as UTF-8 bytes."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._text = io.TextIOWrapper(file, encoding="utf-16", errors="replace", newline="")
        self.close = self._text.close

    def read(self, size: int) -> bytes:
        """Up to about `size` bytes."""
        return self._text.read(size // 4 or 1).encode("utf-8", "replace")


_ANSI = regex(r"\x1b\[[0-9;?]{0,20}[A-Za-z]|\x1b\][^\x07\x1b]{0,200}\x07")
_PREFIX = regex(
    r"\([A-Za-z_][\w.<>:\- ]{0,100}pid=\d+[^)\n]{0,80}\)\s?"  # Ray: (TaskRunner pid=123, ip=10.0.0.1)
    r"|\[?(?:rank|Rank|RANK)[ :=]?\d+\]?:\s?"  # torch and torchrun: [rank3]:
    r"|\[(?:default|trainer|worker)?\d+\]:\s?"  # torchrun --tee: [default0]:
    r"|\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?\s?"  # timestamps
    r"|\[\d\d:\d\d:\d\d\]\s?"
    r"|\d{1,4}: (?=\S)"  # srun --label, mpirun
)


def bare(line: str) -> str:
    """A line without colours, and without what launchers put before it: process, rank, time."""
    if "\x1b" in line:
        line = _ANSI.sub("", line)
    at = 0
    for _ in range(6):
        found = _PREFIX.match(line, at)
        if found is None or found.end() == at:
            break
        at = found.end()
    return line[at:].strip()
