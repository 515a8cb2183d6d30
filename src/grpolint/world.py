"""The world around a document: the files beside it, the versions in use, what the user supplied. Shared by all readers."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from grpolint.documents.source import Problem, Source, SourceError, read_source
from grpolint.records import Record, field
from grpolint.run import Hardware, Version
from grpolint.values import Known

__all__ = ["Supplied", "World"]

_ROOT_MARKS = (".git", "pyproject.toml", "setup.cfg", ".hg")


class Supplied(Record):
    """What the user supplied on the command line or in the settings file.

    `env`: `--env KEY=VALUE`; `settings`: `--set framework:key=value`; `versions`: `--with verl==0.9.1`;
    `python`: the environment of `--python`; `facts`: `--fact name=value`, over what the documents tell; `profile`: facts
    that are declared for a kind of machine, which count where the documents tell nothing.
    """

    env: dict[str, str] = field(default_factory=dict)
    settings: dict[tuple[str, str], str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    hardware: Hardware = field(default_factory=Hardware)
    python: str | None = None
    facts: dict[str, Known] = field(default_factory=dict)
    profile: dict[str, Known] = field(default_factory=dict)


@lru_cache(maxsize=256)
def _root(start: Path) -> Path:
    """The nearest folder from `start` up that is a project's root; `start` itself where there is none."""
    at = str(start)
    while True:
        if any(os.path.exists(os.path.join(at, mark)) for mark in _ROOT_MARKS) or _packaged(at):
            return Path(at)
        above = os.path.dirname(at)
        if above == at:
            return start
        at = above


def _below(root: Path, script: Path, where: str) -> Path | None:
    """A working directory as a folder below the root: relative to the script, or by the longest suffix that exists."""
    if "\0" in where or len(where) > 4096:
        return None
    known = where.rpartition(">")[2].lstrip("/") if "<" in where else where
    if where.startswith("<script-dir"):
        candidates = [script / where[1:].partition(">")[0].removeprefix("script-dir").lstrip("/") / known]
    else:
        steps = [step for step in known.split("/") if step not in ("", ".", "..")]
        bases = [] if known.startswith("/") else [root, script, *script.parents]
        candidates = [base.joinpath(*steps) for base in bases if base.is_relative_to(root)] if steps else []
        candidates.extend(root.joinpath(*steps[cut:]) for cut in range(len(steps)))
    for candidate in candidates:
        try:
            resolved = candidate.resolve()
            if resolved.is_dir() and resolved.is_relative_to(root):
                return resolved
        except (OSError, RuntimeError, ValueError):
            continue
    return None


def _packaged(folder: str) -> bool:
    """Whether a folder has a `setup.py` that packages a project: among scripts one may prepare a machine or a data set."""
    try:
        with open(os.path.join(folder, "setup.py"), "rb") as file:
            start = b"\n" + file.read(65536)
    except OSError:
        return False
    return any(word in start for word in (b"setuptools", b"distutils", b"skbuild", b"\nsetup(\n"))


class World:
    """Looks files up for the document at `main`, and remembers what was read.

    Files are looked for beside the document, in its ancestors up to the project root (a folder with .git or
    pyproject.toml), and by the longest path suffix inside the root. Nothing outside the root is ever read.
    """

    def __init__(
        self, main: Source, supplied: Supplied | None = None, virtual: dict[str, Source] | None = None
    ) -> None:
        self.main = main
        self.supplied = supplied if supplied is not None else Supplied()
        self.virtual: dict[str, Source] = dict(virtual or {})
        self.problems: list[Problem] = []
        self.read: list[Source] = [main]
        self.folder = Path(main.path).resolve().parent
        self.root = _root(self.folder)
        self.start: Path | None = None
        self._cache: dict[Path, Source | None] = {}
        self._versions: dict[str, Version] = {}

    def start_in(self, folder: str | None) -> None:
        """Say in which folder the next launch starts, as the shell reading tells it: `src/r1`, `<script-dir/..>`,
        `<env:HOME>/code/src/r1`. One that is not below the root counts for nothing.
        """
        start = _below(self.root, self.folder, folder) if folder else None
        if start != self.start:
            self.start = start
            self._versions.clear()

    @property
    def places(self) -> list[Path]:
        """Where relative paths are looked for: the folder where the launch starts, that of the document, and those above
        them up to the root.
        """
        found: dict[Path, None] = {}
        for bottom in (self.start, self.folder):
            for folder in (bottom, *bottom.parents) if bottom is not None else ():
                found.setdefault(folder)
                if folder == self.root:
                    break
        if self.start is not None and self.root in found:
            found[self.root] = found.pop(self.root)
        return list(found)

    def version(self, framework: str) -> Version:
        """The release in use: supplied, else what stands near the document, else the newest one in the catalog, marked
        assumed.
        """
        if framework not in self._versions:
            self._versions[framework] = self._version(framework)
        return self._versions[framework]

    def assume(self, framework: str, version: Version) -> None:
        """Take a release for the one in use where nobody names one: what a release above it requires."""
        present = self.version(framework)
        if present.assumed and present.origin in (Version("").origin, version.origin):
            self._versions[framework] = version

    def _version(self, framework: str) -> Version:
        from grpolint.catalog import newest
        from grpolint.detect import detect

        given = self.supplied.versions.get(framework)
        if given is not None:
            return Version(given, assumed=False, origin="--with")
        found = detect(framework, self.main, self.places, self.supplied.python)
        return found if found is not None else Version(newest(framework) or "unknown")

    def find(self, path: str, near: Source | None = None) -> Source | None:
        """The text of a file that a document names, or None if it is not in the tree.

        `path` may be relative (to the document `near`, or to one of `places`)
        or absolute; of a path with unknown or foreign leading folders the longest suffix that exists below the root
        is taken. Files that the script itself writes come first.
        """
        virtual = self.virtual.get(path) or self.virtual.get(path.removeprefix("./"))
        if virtual is not None:
            return virtual
        for candidate in self._candidates(path, near):
            source = self._load(candidate)
            if source is not None:
                return source
        return None

    def file(self, path: Path) -> Source | None:
        """The text of the file at exactly that path; None if it is not there or outside the root."""
        return self._load(path)

    def _candidates(self, path: str, near: Source | None) -> list[Path]:
        if not path or "\0" in path or len(path) > 4096:
            return []
        wanted = Path(path)
        bases = []
        if near is not None:
            bases.append(Path(near.path).resolve().parent)
        bases.extend(self.places)
        found = [] if wanted.is_absolute() else [base / wanted for base in bases]
        parts = [part for part in wanted.parts if part not in ("/", "..", ".")]
        if wanted.is_absolute():
            found.append(wanted)
            found.extend(self.root.joinpath(*parts[cut:]) for cut in range(len(parts)))
        return found

    def _load(self, path: Path) -> Source | None:
        try:
            resolved = path.resolve()
            if not resolved.is_relative_to(self.root):
                return None
        except (OSError, RuntimeError, ValueError):
            return None
        if resolved not in self._cache:
            source = None
            try:
                if resolved.is_file():
                    source = read_source(resolved, self._shown(resolved))
                    self.read.append(source)
            except SourceError as error:
                self.problems.append(Problem(str(error), path=str(path)))
            except OSError:
                source = None
            self._cache[resolved] = source
        return self._cache[resolved]

    def _shown(self, resolved: Path) -> str:
        """A file's path as messages show it: relative to the working directory where that is shorter."""
        try:
            return str(resolved.relative_to(Path.cwd()))
        except ValueError:
            return str(resolved)
