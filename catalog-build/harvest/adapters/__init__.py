"""One module a framework: which package it is, and how its options are read from a release's files.

An adapter module has

- `PACKAGE`: name on the package index, or None; `GIT` (`owner/name`) and `TAG` (a pattern with a group `version`) where
  releases, or old ones, exist only as tags (with `BRANCHES` also as branches); `FIRST_PACKAGE`: first version for which the index is the better source.
- `LICENCE`: licence of the package, for the manifest.
- `INCLUDE`: path patterns (fnmatch, `*` also crosses `/`) of the members to read; default all Python and YAML files.
- `SKIP`: versions never harvested, with the reason in a comment.
- `tables(tree, version)`: options by table and key.
- `files(tree, version)` where configuration trees matter: text by path.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from harvest.records import Release, Tables, clean
from harvest.tree import Tree

__all__ = ["Adapter", "adapter", "names"]


@dataclass(frozen=True)
class Adapter:
    """What an adapter module says of itself, with defaults filled in."""

    name: str
    package: str | None
    git: str | None
    tag: str
    branches: bool
    first_package: str
    licence: str
    include: tuple[str, ...]
    skip: frozenset[str]
    tables: Callable[[Tree, str], Tables]
    files: Callable[[Tree, str], dict[str, str]] | None

    def wants(self, path: str) -> bool:
        """Whether a member of the archive is to be read."""
        return any(fnmatchcase(path, pattern) for pattern in self.include)

    def accepts(self, version: str) -> bool:
        """Whether a version is to be harvested."""
        return version not in self.skip

    def harvest(self, tree: Tree, version: str) -> Release:
        """All facts of one release, cleaned. Raises ValueError if there is no option at all."""
        tables = {
            table: {key: clean(record) for key, record in options.items()}
            for table, options in self.tables(tree, version).items()
            if options
        }
        if not tables:
            raise ValueError(f"{self.name} {version}: no option found")
        return Release(tables=tables, files=self.files(tree, version) if self.files else {})


def adapter(name: str) -> Adapter:
    """The adapter of a framework. Raises ModuleNotFoundError for an unknown name."""
    module = importlib.import_module(f"harvest.adapters.{name.replace('-', '_')}")
    return Adapter(
        name=name,
        package=module.PACKAGE,
        git=getattr(module, "GIT", None),
        tag=getattr(module, "TAG", r"v(?P<version>\d+(\.\d+)+)"),
        branches=getattr(module, "BRANCHES", False),
        first_package=getattr(module, "FIRST_PACKAGE", "0"),
        licence=module.LICENCE,
        include=getattr(module, "INCLUDE", ("*.py", "*.yaml", "*.yml")),
        skip=frozenset(getattr(module, "SKIP", ())),
        tables=module.tables,
        files=getattr(module, "files", None),
    )


def names() -> list[str]:
    """All frameworks that have an adapter. A framework's name has `-` where its module has `_`."""
    return sorted(entry.name.replace("_", "-") for entry in pkgutil.iter_modules(__path__))
