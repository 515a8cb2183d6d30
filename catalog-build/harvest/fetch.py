"""Brings the interesting files of releases into a cache outside the checkout, and hands them out as trees.

The cache (`$GRPOLINT_CACHE`, else `~/.cache/grpolint-harvest`) holds one small zip a release with the wanted members
only. Its name carries a hash of what was wanted, so that a widened adapter fetches again.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import TracebackType

from packaging.version import Version

from harvest import git
from harvest.adapters import Adapter
from harvest.index import Artefact, Index
from harvest.tree import Tree

__all__ = ["FIRST_DAY", "Fetcher", "cache_folder"]

FIRST_DAY = "2024-11-01"
"""Releases from this day on are harvested, and the last one before it."""

_LARGEST = 2 * 1024 * 1024  # bytes of one member


def cache_folder() -> Path:
    """Folder of the cache, made if absent."""
    folder = Path(os.environ.get("GRPOLINT_CACHE") or Path.home() / ".cache" / "grpolint-harvest")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class _ZipStore:
    """A tree's texts in a cached zip."""

    def __init__(self, path: Path) -> None:
        self._archive = zipfile.ZipFile(path)

    def paths(self) -> list[str]:
        return sorted(self._archive.namelist())

    def read(self, path: str) -> str:
        return self._archive.read(path).decode("utf-8", errors="replace")


class Fetcher:
    """Lists and fetches one adapter's releases."""

    def __init__(self, adapter: Adapter) -> None:
        self.adapter = adapter
        self._index: Index | None = None

    def __enter__(self) -> Fetcher:  # noqa: PYI034 - Self is younger than the oldest Python supported
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._index is not None:
            self._index.__exit__(kind, error, trace)

    def _connect(self) -> Index:
        if self._index is None:
            self._index = Index()
        return self._index

    @cached_property
    def _clone(self) -> Path:
        folder = cache_folder() / "git" / (self.adapter.git or "").replace("/", "+")
        if not folder.is_dir():
            raise RuntimeError(f"no clone of {self.adapter.git}: git clone --mirror it into {folder}")
        return folder

    def releases(self) -> list[Artefact]:
        """Every release since `FIRST_DAY` and the one before, oldest version first.

        The index's releases count from the adapter's FIRST_PACKAGE on, tags for every version that the index lacks.
        """
        adapter = self.adapter
        found: dict[Version, Artefact] = {}
        if adapter.git:
            found = {
                Version(item.version): item for item in git.tags(self._clone, adapter.tag, branches=adapter.branches)
            }
        if adapter.package:
            first = Version(adapter.first_package)
            for item in self._connect().artefacts(adapter.package):
                if Version(item.version) >= first:
                    found[Version(item.version)] = item
        ordered = [found[version] for version in sorted(found) if adapter.accepts(str(version))]
        recent = [item for item in ordered if not item.released or item.released >= FIRST_DAY]
        before = [item for item in ordered if item not in recent and Version(item.version) < _first(recent)]
        return before[-1:] + recent

    def tree(self, artefact: Artefact) -> Tree:
        """The release's wanted files; fetched if the cache lacks them."""
        wish = hashlib.sha256("\0".join(self.adapter.include).encode()).hexdigest()[:8]
        path = cache_folder() / self.adapter.name / f"{artefact.version}-{wish}.zip"
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_suffix(f".{os.getpid()}")
            with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, content in self._members(artefact):
                    if len(content) <= _LARGEST:
                        archive.writestr(name, content)
            partial.replace(path)
        return Tree(_ZipStore(path))

    def _members(self, artefact: Artefact) -> Iterator[tuple[str, bytes]]:
        if artefact.sha256.startswith("git:"):
            return git.members(self._clone, artefact, self.adapter.wants)
        return self._connect().members(artefact, self.adapter.wants, cache_folder() / "archives")


def _first(releases: list[Artefact]) -> Version:
    return min((Version(item.version) for item in releases), default=Version("9999"))
