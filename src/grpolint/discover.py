"""Which files of a folder may hold launches: by suffix or `#!` line, .gitignore respected."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grpolint.records import Record, field

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["WALK_BYTES", "Walk"]

SUFFIXES = (".sh", ".bash", ".slurm", ".sbatch", ".yaml", ".yml", ".json", ".jsonc", ".toml", ".py", ".ipynb")
"""Files with these suffixes are candidates, and so are files without any that begin with `#!`."""

_TOOLS = frozenset({"pyproject.toml", "grpolint.toml", "cargo.toml", "uv.toml", "ruff.toml"})
"""Files of tools that nothing is launched with."""

SKIPPED = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        ".tox",
        ".nox",
        ".venv",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".ipynb_checkpoints",
        "__pycache__",
        "node_modules",
        "site-packages",
        "wandb",
    }
)
"""Folders that hold other people's files, or none."""

WALK_BYTES = 1024 * 1024
"""Larger files are left out of a walk: launch files are kilobytes, data sets are not. Notebooks hold pictures."""

_SHELLS = (b"bash", b"/sh", b" sh", b"python", b"zsh", b"ksh", b"dash")


class Walk(Record, frozen=False):
    """One walk through a folder. Symbolic links to folders are not followed, so it cannot run in circles.

    `exclude` are patterns as in .gitignore, relative to `base`. `unreadable` collects folders that could not be listed.
    """

    folder: str
    exclude: tuple[str, ...] = ()
    base: str = ""
    unreadable: list[str] = field(default_factory=list)
    _rules: list[tuple[str, GitIgnoreSpec]] = field(default_factory=list)

    def files(self) -> Iterator[str]:
        """Paths of the candidates, as `folder` is written, sorted within each folder."""
        top = os.path.abspath(self.folder)
        rules = self._outer_rules(top)
        if self.exclude:
            rules.append((os.path.abspath(self.base or self.folder), _spec(list(self.exclude))))
        yield from self._walk(self.folder, top, rules)

    def _walk(self, shown: str, real: str, rules: list[tuple[str, GitIgnoreSpec]]) -> Iterator[str]:
        stack = [(shown, real, rules)]
        while stack:
            shown, real, rules = stack.pop()
            try:
                with os.scandir(real) as listing:
                    found = sorted(listing, key=lambda entry: entry.name)
            except OSError:
                self.unreadable.append(shown)
                continue
            names = {entry.name for entry in found}
            if ".gitignore" in names:
                spec = _read_spec(os.path.join(real, ".gitignore"))
                rules = [*rules, (real, spec)] if spec is not None else rules
            below = []
            for entry in found:
                path = entry.name if shown == "." else os.path.join(shown, entry.name)
                try:
                    if entry.is_dir(follow_symlinks=False):
                        if self._enters(entry, rules):
                            below.append((path, entry.path, rules))
                    elif _is_candidate(entry) and not _ignored(entry.path, rules):
                        yield path
                except OSError:
                    continue
            stack.extend(reversed(below))

    def _enters(self, entry: os.DirEntry[str], rules: list[tuple[str, GitIgnoreSpec]]) -> bool:
        if entry.name in SKIPPED or os.path.exists(os.path.join(entry.path, "pyvenv.cfg")):
            return False
        if os.path.isdir(os.path.join(entry.path, "conda-meta")):
            return False
        return not _ignored(entry.path + os.sep, rules)

    def _outer_rules(self, top: str) -> list[tuple[str, GitIgnoreSpec]]:
        """The .gitignore files above `top` inside its repository, outermost first."""
        above = []
        at = top
        while not os.path.exists(os.path.join(at, ".git")):
            parent = os.path.dirname(at)
            if parent == at:
                return []
            above.append(parent)
            at = parent
        found = ((folder, _read_spec(os.path.join(folder, ".gitignore"))) for folder in reversed(above))
        return [(folder, spec) for folder, spec in found if spec is not None]


def _is_candidate(entry: os.DirEntry[str]) -> bool:
    name = entry.name.lower()
    suffix = os.path.splitext(name)[1]
    if (suffix not in SUFFIXES and (suffix or name.startswith("."))) or name in _TOOLS:
        return False
    if not entry.is_file():
        return False
    size = entry.stat().st_size
    if size == 0 or (size > WALK_BYTES and suffix != ".ipynb"):
        return False
    return suffix in SUFFIXES or _has_shebang(entry.path)


def _has_shebang(path: str) -> bool:
    with open(path, "rb") as file:
        first = file.read(80).split(b"\n", 1)[0]
    return first.startswith(b"#!") and any(shell in first for shell in _SHELLS)


def _ignored(path: str, rules: list[tuple[str, GitIgnoreSpec]]) -> bool:
    """Whether the innermost pattern that speaks of the path ignores it. A folder's path ends in a separator."""
    for folder, spec in reversed(rules):
        relative = path[len(folder) + 1 :] if folder != os.sep else path[1:]
        if os.sep != "/":
            relative = relative.replace(os.sep, "/")
        decided = spec.check_file(relative).include
        if decided is not None:
            return decided
    return False


def _read_spec(path: str) -> GitIgnoreSpec | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read(WALK_BYTES).splitlines()
    except OSError:
        return None
    return _spec(lines)


def _spec(lines: list[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:  # one pattern that is none: git passes over it
        good = []
        for line in lines:
            try:
                GitIgnoreSpec.from_lines([line])
            except ValueError:
                continue
            good.append(line)
        return GitIgnoreSpec.from_lines(good)
