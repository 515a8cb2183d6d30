"""Releases that exist only as tags of a git repository, read from a bare clone in the cache.

Clones are not made here: `git clone --mirror <repository> <cache>/git/<owner>+<name>` is the maintainer's own step, so
that no run of the harvesters needs more of the network than the package index.
"""

from __future__ import annotations

import io
import re
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

from packaging.version import InvalidVersion, Version

from harvest.index import Artefact

__all__ = ["members", "tags"]


def _git(folder: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True).stdout


def tags(folder: Path, pattern: str, *, branches: bool = False) -> list[Artefact]:
    """One artefact a tag (or, with `branches`, also a branch) whose whole name matches `pattern` (its group `version` is the version), oldest first.

    The tag stands in `filename`, the commit in `sha256` as `git:<commit>`. Pre-releases are left out unless the pattern's
    group captures them.
    """
    found: dict[Version, Artefact] = {}
    places = ["refs/heads", "refs/tags"] if branches else ["refs/tags"]
    lines = _git(folder, "for-each-ref", "--format=%(refname)\t%(creatordate:short)", *places).decode()
    for line in lines.splitlines():
        reference, _, day = line.partition("\t")
        name = reference.split("/", 2)[2]
        match = re.fullmatch(pattern, name)
        if match is None:
            continue
        try:
            version = Version(match["version"])
        except InvalidVersion:
            continue
        commit = _git(folder, "rev-parse", f"{reference}^{{commit}}").decode().strip()
        found[version] = Artefact(str(version), name, "", f"git:{commit}", day, 0)
    return [found[version] for version in sorted(found)]


def members(folder: Path, artefact: Artefact, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the wanted files at a tag; links are left out."""
    commit = artefact.sha256.removeprefix("git:")
    listed = _git(folder, "ls-tree", "-r", "-z", "--name-only", commit).decode().split("\0")
    paths = [path for path in listed if path and wanted(path)]
    if not paths:
        return
    archive = _git(folder, "archive", "--format=tar", commit, "--", *paths)
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.isfile() else None
            if file is not None:
                yield member.name, file.read()
