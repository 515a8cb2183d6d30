"""Configurations that inherit: `defaults: ../grpo_math_1B.yaml`, one file or several, each relative to the file that names it.

Not Hydra's defaults list: what is named are files, dictionaries are merged as OmegaConf merges them, and a section with
`_override_: true` replaces the inherited one.
"""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import Any

from grpolint.documents import yaml
from grpolint.documents.nodes import Mapping
from grpolint.documents.scalars import data
from grpolint.documents.source import Source, Span
from grpolint.frameworks.hydra.interpolation import Resolver
from grpolint.frameworks.hydra.sources import ReleaseSource, config_of
from grpolint.frameworks.hydra.tree import Leaf, MergeError, Tree, clone, merge
from grpolint.records import Record
from grpolint.world import World

__all__ = ["Inherited", "load", "released"]

_DEEPEST = 16
_MARK = "_override_"
_CYCLE = "these configurations inherit from each other: "


class Inherited(Record):
    """A configuration with all that it inherits.

    `missing` names a file that is not there and `span` where it is asked for; `problem` is what OmegaConf refuses, one sentence.
    """

    tree: Tree
    missing: str | None = None
    span: Span | None = None
    problem: str | None = None


def load(world: World, source: Source, version: str, *, main: bool = True, depth: int = 0) -> Inherited:
    """The configuration of a file in the tree.

    An inherited file (`main` is false) that is a copy of one of the release's counts as that: what it leaves as it was are
    defaults of the release.
    """
    document = yaml.parse(source)
    root, own = document.root, config_of(document, source.path).tree
    if not isinstance(root, Mapping) or not isinstance(own, dict):
        return Inherited({}, problem=f"{source.path} is no dictionary")
    if not main:
        own = _as_released(own, Path(source.path).name, version)
    node = root.get("defaults")
    folder = Path(source.path).resolve().parent
    inherited: Tree = {}
    for name in _names(data(node, "omegaconf") if node is not None else None):
        parent = (
            _parent(world, folder, name, version, depth) if depth < _DEEPEST else Inherited({}, problem=_CYCLE + name)
        )
        if parent.missing is not None or parent.problem is not None:
            span = node.span if node is not None else None
            return Inherited(own, parent.missing, span, parent.problem)
        try:
            _merge(inherited, parent.tree)
        except MergeError as error:
            return Inherited(own, problem=f"{source.path}: {error}")
    try:
        _merge(inherited, own)
    except MergeError as error:
        return Inherited(own, problem=f"{source.path}: {error}")
    return Inherited(inherited)


def _names(parents: Any) -> list[str]:
    """The files that `defaults` names."""
    return [str(each) for each in (parents if isinstance(parents, list) else [parents]) if each is not None]


def _parent(world: World, folder: Path, name: str, version: str, depth: int) -> Inherited:
    """The configuration that a file in `folder` names: of the tree, else the release's of that file name."""
    path = Path(name) if name.startswith("/") else folder / name
    source = world.file(path)
    if source is not None:
        return load(world, source, version, main=False, depth=depth + 1)
    found = released(posixpath.basename(name), version)
    return Inherited(found) if found is not None else Inherited({}, name)


def released(name: str, version: str, depth: int = 0) -> Tree | None:
    """A configuration of the release with what it inherits; None where the release has none of that name."""
    config = ReleaseSource("nemo-rl", version, "").load(name)
    if config is None or not isinstance(config.tree, dict) or depth >= _DEEPEST:
        return None
    tree: Tree = {}
    for parent in _names(config.inherits):
        found = released(posixpath.basename(parent), version, depth + 1)
        if found is None:
            return None
        _merge(tree, found)
    _merge(tree, config.tree)
    return tree


def _merge(target: Tree, other: Tree) -> None:
    """Merge one configuration into what was inherited; sections with the mark replace what is there."""
    clean: Tree = {}
    for key, value in other.items():
        mark = value.get(_MARK) if isinstance(value, dict) else None
        if isinstance(mark, Leaf):
            value = {name: below for name, below in value.items() if name != _MARK}
            if mark.value is True:
                target.pop(key, None)
        clean[key] = clone(value) if isinstance(value, dict) else value
    merge(target, clean, Resolver(target).container)


def _as_released(own: Tree, name: str, version: str) -> Tree:
    config = ReleaseSource("nemo-rl", version, "").load(name)
    return _alike(own, config.tree) if config is not None and isinstance(config.tree, dict) else own


def _alike(own: Tree, release: Tree) -> Tree:
    """`own` with the release's leaves wherever they say the same."""
    made: Tree = {}
    for key, value in own.items():
        there = release.get(key)
        if isinstance(value, dict):
            made[key] = _alike(value, there) if isinstance(there, dict) else value
        else:
            same = isinstance(there, Leaf) and type(there.value) is type(value.value) and there.value == value.value
            made[key] = there if same else value
    return made
