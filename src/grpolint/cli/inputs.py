"""The files that a command line names: files, folders and standard input, each with the settings that hold for it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from grpolint.documents.source import MAX_BYTES, Source, SourceError, decode, read_source
from grpolint.reader import Reading
from grpolint.records import Record
from grpolint.settings_file import FileSettings, nearest
from grpolint.world import Supplied

__all__ = ["Input", "configured", "guarded", "inputs", "read_input"]


class Input(Record):
    """A file to read. `named` is false for one that a walk found; `error` is set for what cannot be read at all."""

    path: str
    named: bool
    settings: FileSettings
    error: str | None = None
    text: str | None = None
    """The document itself, where the command line holds it."""


def configured(word: str) -> Input:
    """What `--config` names: a file, or the JSON text of a configuration. Raises SettingsError."""
    if word.lstrip().startswith("{"):
        return Input("--config", True, nearest("."), text=word)
    return Input(word, True, nearest(os.path.dirname(word) or "."))


def inputs(paths: list[str], stdin_name: str | None = None) -> Iterator[Input]:
    """Every file of a command line once, in its order. Raises SettingsError for an unusable settings file."""
    cache: dict[str, FileSettings] = {}

    def settings(folder: str) -> FileSettings:
        folder = os.path.abspath(folder)
        if folder not in cache:
            cache[folder] = nearest(folder)
        return cache[folder]

    seen: set[tuple[int, int]] = set()
    for path in paths:
        if path == "-":
            yield Input("-", True, settings(os.path.dirname(stdin_name or "") or "."))
        elif "\0" in path:
            yield Input(path, True, FileSettings(), "a path cannot hold a NUL byte")
        elif os.path.isdir(path):
            yield from _walk(path, settings(path), seen)
        elif _is_new(path, seen):
            yield Input(path, True, settings(os.path.dirname(path) or "."))


def _walk(path: str, settings: FileSettings, seen: set[tuple[int, int]]) -> Iterator[Input]:
    from grpolint.discover import Walk

    walk = Walk(path, settings.exclude, settings.folder)
    for found in walk.files():
        if _is_new(found, seen):
            yield Input(found, False, settings)
    for folder in walk.unreadable:
        yield Input(folder, True, settings, f"{folder}: this folder cannot be listed")


def _is_new(path: str, seen: set[tuple[int, int]]) -> bool:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return True
    mark = (status.st_dev, status.st_ino)
    if mark in seen:
        return False
    seen.add(mark)
    return True


def read_input(each: Input, stdin_name: str | None = None) -> Source:
    """The source of an input. Raises SourceError with one sentence."""
    if each.error is not None:
        raise SourceError(each.error)
    if each.text is not None:
        return Source(each.path, each.text)
    if each.path == "-":
        return decode(sys.stdin.buffer.read(MAX_BYTES + 1), stdin_name or "<stdin>")
    return read_source(Path(each.path), each.path)


def guarded(read: Callable[[Source, Supplied], Reading], source: Source, given: Supplied, verbose: bool) -> Reading:
    """What `read` finds in a source. A fault of ours in one file becomes a SourceError, so that the rest is still read."""
    try:
        return read(source, given)
    except (Exception, RecursionError) as error:
        if verbose:
            import traceback

            traceback.print_exc()
        hint = "" if verbose else "; -v shows where"
        raise SourceError(f"{source.path}: grpolint failed here ({type(error).__name__}: {error}){hint}") from error
