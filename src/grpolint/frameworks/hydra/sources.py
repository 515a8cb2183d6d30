"""Where configuration files come from: the user's folders and the configuration trees of releases."""

from __future__ import annotations

import contextlib
import json
import posixpath
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from grpolint.catalog.loader import ConfigFile, config_files
from grpolint.documents.nodes import Document, Entry, Node, Opaque, Scalar
from grpolint.documents.nodes import Mapping as MappingNode
from grpolint.documents.scalars import data, resolve, resolve_text
from grpolint.documents.source import Source, Span
from grpolint.frameworks.hydra.tree import Branch, Leaf, Release, Tree, branch_of
from grpolint.records import Record
from grpolint.regex import regex
from grpolint.values import Origin, Unknown
from grpolint.world import World

__all__ = ["Config", "ConfigSource", "DefaultsItem", "FolderSource", "ReleaseSource", "config_of", "release_sources"]

_HEADER = regex(r"^\s*#\s*@(\w+)\s+(\S+)\s*$")
_HEADER_CHARACTERS = 512
_LARGEST = 50_000
"""Most collections of a file of a release's tree."""


class DefaultsItem(Record):
    """One line of a defaults list as written: `group@package: name`, or `path@package` (then `group` is None).

    `name` is None for `group: null` and a list for several options of one group.
    """

    group: str | None
    name: str | list[str] | None
    package: str | None = None
    optional: bool = False
    override: bool = False
    span: Span | None = None


class Config(Record):
    """One configuration file: its tree without the defaults list, that list (None where it has none), its package."""

    path: str
    tree: Branch
    defaults: tuple[DefaultsItem, ...] | None = None
    package: str | None = None
    source: Source | None = None
    problem: str | None = None
    """Why Hydra would not load it, a sentence."""
    inherits: Any = None
    """What stands under `defaults`, as plain data, for programs that read it in their own way."""


class ConfigSource(Protocol):
    """A folder of the search path. Paths are relative to it, with `/` and without extension."""

    def load(self, path: str) -> Config | None:
        """The file at a path, None if there is none."""

    def is_group(self, path: str) -> bool:
        """Whether a path is a folder."""

    def options(self, group: str) -> list[str]:
        """Names of the files in a folder, sorted."""


def _relative(path: str) -> str:
    """A path without its extension, `..` steps done."""
    return posixpath.normpath(path.removesuffix(".yaml")).lstrip("/")


class FolderSource:
    """A folder of the user's; nothing outside the world's root is read.

    `release` says that the folder is the framework's own tree (a checkout): then its values are defaults of that
    release, not settings of the user's.
    """

    def __init__(self, world: World, folder: Path, release: tuple[str, str] | None = None) -> None:
        self.world = world
        self.folder = folder
        self.release = release

    def load(self, path: str) -> Config | None:
        """The file at a path, None if there is none."""
        file = self.folder / (_relative(path) + ".yaml")
        source = self.world.virtual.get(str(file)) or self.world.file(file)
        if source is None:
            return None
        if self.release is not None:
            return _release_config(*self.release, ConfigFile(source.path, source.text))
        from grpolint.documents.yaml import parse

        return config_of(parse(source), _relative(path))

    def is_group(self, path: str) -> bool:
        """Whether a path is a folder."""
        return (self.folder / _relative(path)).is_dir()

    def options(self, group: str) -> list[str]:
        """Names of the files in a folder, sorted."""
        folder = self.folder / _relative(group)
        return sorted(file.stem for file in folder.glob("*.yaml")) if folder.is_dir() else []


class ReleaseSource:
    """A folder `root` of the configuration tree of a release."""

    def __init__(self, framework: str, version: str, root: str) -> None:
        self.framework = framework
        self.version = version
        self.root = root
        self._files: Mapping[str, ConfigFile] = config_files(framework, version)
        self._folders = _folders(framework, version)

    def _full(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self.root, _relative(path)))

    def load(self, path: str) -> Config | None:
        """The file at a path, None if there is none."""
        file = self._files.get(self._full(path) + ".yaml")
        return _release_config(self.framework, self.version, file) if file is not None else None

    def is_group(self, path: str) -> bool:
        """Whether a path is a folder."""
        return self._full(path) in self._folders

    def options(self, group: str) -> list[str]:
        """Names of the files in a folder, sorted."""
        start = self._full(group) + "/"
        names = (file[len(start) : -len(".yaml")] for file in self._files if file.startswith(start))
        return sorted(name for name in names if "/" not in name)


@lru_cache(maxsize=64)
def _folders(framework: str, version: str) -> frozenset[str]:
    """Every folder of a release's tree, its root among them."""
    files = config_files(framework, version)
    found = {"."} if files else set()
    for path in files:
        while "/" in path:
            path = path.rpartition("/")[0]
            found.add(path)
    return frozenset(found)


def release_sources(framework: str, version: str, *roots: str) -> list[ConfigSource]:
    """Sources for folders of a release's tree; empty if the catalog has no files for it."""
    return [ReleaseSource(framework, version, root) for root in roots if config_files(framework, version)]


@lru_cache(maxsize=512)
def _release_config(framework: str, version: str, file: ConfigFile) -> Config:
    """A file of a release. Files are shared between compositions: nobody changes their trees in place."""
    like = Leaf(None, (), Release(framework, version, file.path))
    header = _header(file.text)
    try:
        content = _fast(file.text)
    except ValueError as error:
        return Config(file.path, {}, None, None, None, str(error))
    defaults = content.pop("defaults", None) if isinstance(content, dict) else None
    items, problem = _items(defaults, None)
    tree = branch_of(content if content is not None else {}, like)
    return Config(file.path, tree, items, header.get("package"), None, problem, defaults)


def _fast(text: str) -> Any:
    """Plain data of a text without positions, as OmegaConf loads it. Raises ValueError where it cannot.

    A text in JSON is YAML too, and says the same in it.
    """
    body = text.partition("\n")[2] if text.startswith("# @package") else text
    if body.startswith(("{", "[")):
        with contextlib.suppress(ValueError, RecursionError):
            return json.loads(body, parse_constant=_no_constant)
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(text, Loader=loader)
        return _built(root, iter(range(_LARGEST))) if root is not None else None
    except (yaml.YAMLError, RecursionError, StopIteration) as error:
        raise ValueError(str(error).partition("\n")[0] or "too large") from error


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is no JSON")


@lru_cache(maxsize=4096)
def _typed(text: str) -> Any:
    """Value of a plain scalar; the same few texts come again and again."""
    return resolve_text(text, "omegaconf")


def _built(node: Any, budget: Iterator[int]) -> Any:
    """Plain data of a node; `budget` ends with StopIteration where aliases blow a small text up."""
    if node.id == "scalar":
        return _typed(node.value) if node.style in (None, "") else node.value
    next(budget)
    if node.id == "mapping":
        return {key.value: _built(value, budget) for key, value in node.value}
    return [_built(item, budget) for item in node.value]


def config_of(document: Document, path: str) -> Config:
    """A configuration file of the user's as Hydra loads it, every leaf with its place."""
    root = document.root
    tree: Branch = {}
    defaults: Node | None = None
    if isinstance(root, MappingNode):
        branch: Tree = {}
        for entry in root.entries:
            if entry.key == "defaults":
                defaults = entry.value
            else:
                branch[entry.key] = _node(entry.value, entry, document.source)
        tree = branch
    elif root is not None and not (isinstance(root, Scalar) and resolve(root, "omegaconf") is None):
        tree = Leaf(data(root, "omegaconf"), (Origin("config file", root.span, document.source.path),))
    items, problem = _items(data(defaults, "omegaconf"), defaults) if defaults is not None else (None, None)
    if document.problems and problem is None:
        problem = document.problems[0].message
    return Config(path, tree, items, _header(document.source.text).get("package"), document.source, problem)


def _node(node: Node, entry: Entry, source: Source) -> Branch:
    if isinstance(node, MappingNode):
        return {inner.key: _node(inner.value, inner, source) for inner in node.entries}
    origins = (Origin("config file", entry.span, source.path),)
    if isinstance(node, Opaque):
        return Leaf(Unknown(node.reason, origins), origins, None, entry.span)
    value = resolve(node, "omegaconf") if isinstance(node, Scalar) else _opened(data(node, "omegaconf"), origins)
    return Leaf(value, origins, None, entry.span)


def _opened(value: Any, origins: tuple[Origin, ...]) -> Any:
    """List data in which nodes that cannot be known are Unknown."""
    if isinstance(value, Opaque):
        return Unknown(value.reason, origins)
    if isinstance(value, list):
        return [_opened(item, origins) for item in value]
    if isinstance(value, dict):
        return {key: _opened(item, origins) for key, item in value.items()}
    return value


def _header(text: str) -> dict[str, str]:
    """The `# @key value` lines before anything else."""
    found: dict[str, str] = {}
    for line in text[:_HEADER_CHARACTERS].splitlines():
        if not line.strip():
            continue
        match = _HEADER.match(line)
        if match is None:
            break
        found[match.group(1)] = match.group(2)
    return found


def _items(defaults: Any, node: Node | None) -> tuple[tuple[DefaultsItem, ...] | None, str | None]:
    """A defaults list read, and why Hydra refuses it."""
    if defaults is None:
        return None, None if node is None else "the defaults list is empty"
    if not isinstance(defaults, list):
        return None, "defaults must be a list"
    spans = [item.span for item in getattr(node, "items", ())] or [None] * len(defaults)
    items = []
    for item, span in zip(defaults, spans, strict=True):
        made = _item(item, span)
        if made is None:
            return None, f"{item!r} is no item of a defaults list"
        items.append(made)
    return tuple(items), None


def _item(item: Any, span: Span | None) -> DefaultsItem | None:
    if isinstance(item, str):
        path, package = _split(item)
        return DefaultsItem(None, path, package, span=span)
    if not isinstance(item, dict) or len(item) != 1:
        return None
    (key, name), *_ = item.items()
    names = name if isinstance(name, list) else [name or ""]
    if not all(isinstance(option, str) for option in names):
        return None
    words, package = _split(str(key))
    *keywords, group = words.split(" ")
    return DefaultsItem(group, name, package, "optional" in keywords, "override" in keywords, span)


def _split(text: str) -> tuple[str, str | None]:
    """Path and package of `path@package`; what follows a colon in the package is dropped, as Hydra does."""
    path, at, package = text.partition("@")
    return path, package.partition(":")[0] if at else None
