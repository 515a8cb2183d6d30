"""Configuration trees: dictionaries whose leaves remember where they stand, and OmegaConf's merging.

A branch is a plain dict with text keys; a leaf is a scalar or a whole list. An interpolation is a leaf whose value is
its text; what it denotes is found by `interpolation.Resolver` when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from grpolint.documents.source import Span
from grpolint.records import Record
from grpolint.values import Origin

__all__ = [
    "Branch",
    "Container",
    "Leaf",
    "MergeError",
    "Path",
    "Release",
    "Tree",
    "branch_of",
    "clone",
    "leaves",
    "merge",
    "nest",
    "plain",
]


class MergeError(ValueError):
    """Two configurations that OmegaConf refuses to merge. `str(error)` is one sentence."""


class Release(Record):
    """A file of a framework's release, where a default stands."""

    framework: str
    version: str
    path: str


class Leaf(Record, frozen=False):
    """A scalar or a list, with its place: `release` for a file of the framework, else the origins in the documents.

    Lists hold plain data. `span` is the option as written (key and value), None in a release.
    """

    value: Any
    origins: tuple[Origin, ...] = ()
    release: Release | None = None
    span: Span | None = None

    @property
    def interpolation(self) -> bool:
        """Whether the value is text with an interpolation."""
        return isinstance(self.value, str) and "${" in self.value

    @property
    def missing(self) -> bool:
        """Whether the value is OmegaConf's mark for one that must be given."""
        return isinstance(self.value, str) and self.value == "???"


Tree = dict[str, Any]
"""A branch: values are `Tree` or `Leaf`."""

Branch = Tree | Leaf
"""Any node."""

Path = tuple[str, ...]
"""Keys from the root to a node."""

Container = Callable[[Leaf, Path], "Branch | None"]
"""The dictionary or list that an interpolation denotes, None for anything else."""


def branch_of(data: Any, like: Leaf) -> Branch:
    """Plain data as a tree whose leaves stand where `like` stands; keys become text, lists stay leaves."""
    if isinstance(data, dict):
        return {str(key): branch_of(value, like) for key, value in data.items()}
    return Leaf(data, like.origins, like.release, like.span)


def clone(tree: Tree) -> Tree:
    """A copy that shares the leaves, which nobody changes in place."""
    return {key: clone(value) if type(value) is dict else value for key, value in tree.items()}


def nest(tree: Branch, package: str) -> Tree:
    """`tree` put below a dotted package; unchanged for the empty one. Raises MergeError where it is no dictionary."""
    if not package:
        if isinstance(tree, Leaf):
            raise MergeError("the configuration is not a dictionary")
        return tree
    for step in reversed(package.split(".")):
        tree = {step: tree}
    assert isinstance(tree, dict)
    return tree


def merge(target: Tree, other: Mapping[str, Branch], container: Container, path: Path = ()) -> None:
    """Merge `other` into `target` as OmegaConf does: dictionaries join, everything else is replaced, lists too.

    `container` gives the dictionary or list that an interpolation in `target` denotes, None if it denotes none; `path`
    is where `target` stands. Raises MergeError where a dictionary meets a list.
    """
    for key, new in other.items():
        here = (*path, key)
        old = target.get(key)
        if isinstance(old, Leaf) and old.interpolation:
            found = container(old, here)
            if found is not None:
                old = target[key] = clone(found) if isinstance(found, dict) else found
        if isinstance(old, dict):
            if isinstance(new, dict):
                merge(old, new, container, here)
                continue
            if isinstance(new.value, list):
                raise MergeError(f"{'.'.join(here)} is a dictionary and cannot be merged with a list")
            if new.missing:
                continue
        elif old is not None:
            if isinstance(new, Leaf) and new.missing:
                continue
            if isinstance(new, dict) and isinstance(old.value, list):
                raise MergeError(f"{'.'.join(here)} is a list and cannot be merged with a dictionary")
        target[key] = clone(new) if isinstance(new, dict) else new


def leaves(tree: Branch, path: Path = ()) -> Iterator[tuple[Path, Branch]]:
    """Leaves with their paths, in written order; an empty branch counts as a leaf."""
    if isinstance(tree, dict) and tree:
        for key, value in tree.items():
            yield from leaves(value, (*path, key))
    else:
        yield path, tree


def plain(tree: Branch) -> Any:
    """The tree as plain data, interpolations as their text."""
    if isinstance(tree, Leaf):
        return tree.value
    return {key: plain(value) for key, value in tree.items()}
