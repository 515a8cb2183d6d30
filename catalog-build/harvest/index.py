"""The package index, asked through pip: its configuration, its session, its reading of single members of a wheel.

pip's internals are used in this one module, because pip is the client that is configured on the machine (index,
proxies, certificates), and because its lazy wheel reads a 300 MB archive's few interesting members by range.
"""

from __future__ import annotations

import contextlib
import hashlib
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name, parse_sdist_filename, parse_wheel_filename
from packaging.version import InvalidVersion, Version

__all__ = ["Artefact", "Index"]

_WHOLE = 48 * 1024 * 1024  # bytes; a smaller archive is fetched whole, a larger wheel is read by range
_NEAR = 64 * 1024  # bytes between two wanted members that are not worth a request of their own


@dataclass(frozen=True, slots=True)
class Artefact:
    """One archive of one release. `released` is a day (`2026-09-20`), `size` is in bytes."""

    version: str
    filename: str
    url: str
    sha256: str
    released: str
    size: int
    yanked: bool = False

    @property
    def is_wheel(self) -> bool:
        return self.filename.endswith(".whl")


class Index:
    """The configured index. Use as a context manager."""

    def __init__(self) -> None:
        from pip._internal.commands.download import DownloadCommand

        self._stack = contextlib.ExitStack()
        command = DownloadCommand("download", "")
        options, _ = command.parse_args(["--quiet"])
        self._stack.enter_context(command.main_context())
        self._session: Any = command.get_default_session(options)
        self._root: str = options.index_url.rstrip("/")

    def __enter__(self) -> Index:  # noqa: PYI034 - Self is younger than the oldest Python supported
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def artefacts(self, package: str) -> list[Artefact]:
        """The best archive of every final or post release, oldest version first.

        Wheels before source archives, of several wheels the pure one or else a Linux one. A yanked release counts, for
        it may be pinned, unless nothing newer follows it. Raises RuntimeError if the index does not know the package or
        does not speak JSON.
        """
        answer = self._session.get(
            f"{self._root}/{canonicalize_name(package)}/",
            headers={"Accept": "application/vnd.pypi.simple.v1+json"},
        )
        if answer.status_code != 200 or "json" not in answer.headers.get("content-type", ""):
            raise RuntimeError(f"the package index does not list {package} as JSON (status {answer.status_code})")
        best: dict[Version, tuple[int, Artefact]] = {}
        for entry in answer.json()["files"]:
            version = _version(entry["filename"])
            if version is None or version.is_prerelease:
                continue
            url = entry["url"]
            if "://" not in url:
                url = f"{self._root}/{canonicalize_name(package)}/{url}"
            artefact = Artefact(
                str(version),
                entry["filename"],
                url,
                entry["hashes"].get("sha256", ""),
                str(entry.get("upload-time") or "")[:10],
                int(entry.get("size") or 0),
                yanked=entry.get("yanked") not in (None, False),
            )
            rank = _rank(entry["filename"]) + 10 * artefact.yanked
            if version not in best or rank < best[version][0]:
                best[version] = (rank, artefact)
        newest = max((version for version, (_, artefact) in best.items() if not artefact.yanked), default=Version("0"))
        return [best[version][1] for version in sorted(best) if version <= newest]

    def members(self, artefact: Artefact, wanted: Callable[[str], bool], folder: Path) -> Iterator[tuple[str, bytes]]:
        """Path and bytes of the archive's members that are wanted, paths without the archive's own top folder.

        An archive fetched whole is kept in `folder` while it is read, and its hash is checked (ValueError).
        """
        if artefact.is_wheel and artefact.size > _WHOLE:
            yield from self._by_range(artefact, wanted)
            return
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / artefact.filename
        answer = self._session.get(artefact.url, headers={"Accept-Encoding": "identity"})
        answer.raise_for_status()
        if artefact.sha256 and hashlib.sha256(answer.content).hexdigest() != artefact.sha256:
            raise ValueError(f"{artefact.filename}: the bytes received do not have the index's hash")
        path.write_bytes(answer.content)
        try:
            yield from (_wheel_members if artefact.is_wheel else _sdist_members)(path, wanted)
        finally:
            path.unlink()

    def _by_range(self, artefact: Artefact, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
        from pip._internal.network.lazy_wheel import LazyZipOverHTTP

        with LazyZipOverHTTP(artefact.url, self._session) as lazy, zipfile.ZipFile(lazy) as archive:
            yield from _zip_members(archive, wanted)


def _version(filename: str) -> Version | None:
    """Version in a file name, None for what is neither a wheel nor a source archive."""
    try:
        if filename.endswith(".whl"):
            return parse_wheel_filename(filename)[1]
        return parse_sdist_filename(filename)[1]
    except (ValueError, InvalidVersion):
        return None


def _rank(filename: str) -> int:
    if filename.endswith("-none-any.whl"):
        return 0
    if filename.endswith(".whl"):
        return 1 if "manylinux" in filename and "x86_64" in filename else 4
    return 2 if filename.endswith(".tar.gz") else 3


def _inner(name: str) -> str:
    """Path of a wheel's member as installed: what lies in `*.data/purelib` belongs at the top."""
    head, _, rest = name.partition("/")
    if head.endswith(".data"):
        return rest.partition("/")[2]
    return name


def _zip_members(archive: zipfile.ZipFile, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    # In the order they lie in the archive, so that ranges already read are not read again.
    for info in sorted(archive.infolist(), key=lambda info: info.header_offset):
        path = _inner(info.filename)
        if not info.is_dir() and wanted(path):
            yield path, archive.read(info)


def _runs(archive: zipfile.ZipFile, wanted: Callable[[str], bool]) -> list[tuple[int, int]]:
    """Byte ranges that hold the wanted members, neighbours joined."""
    infos = sorted(archive.infolist(), key=lambda info: info.header_offset)
    ends = [info.header_offset for info in infos[1:]] + [archive.start_dir]
    runs: list[tuple[int, int]] = []
    for info, end in zip(infos, ends):
        if info.is_dir() or not wanted(_inner(info.filename)):
            continue
        if runs and info.header_offset - runs[-1][1] < _NEAR:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((info.header_offset, end))
    return runs


def _wheel_members(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        yield from _zip_members(archive, wanted)


def _sdist_members(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                inner = info.filename.partition("/")[2]
                if not info.is_dir() and wanted(inner):
                    yield inner, archive.read(info)
        return
    with tarfile.open(path) as tar:
        for member in tar:
            inner = member.name.partition("/")[2]
            if member.isfile() and wanted(inner):
                file = tar.extractfile(member)
                if file is not None:
                    yield inner, file.read()
