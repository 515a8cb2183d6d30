"""Defaults lists: which files a primary configuration is composed of, in which order and below which package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grpolint.frameworks.hydra.interpolation import Resolver
from grpolint.frameworks.hydra.overrides import Override, Sweep
from grpolint.frameworks.hydra.sources import Config, ConfigSource, DefaultsItem
from grpolint.frameworks.hydra.tree import Leaf
from grpolint.records import Record, field
from grpolint.values import Unknown

__all__ = ["ComposeError", "Part", "SearchPath", "expand"]

_DEEPEST = 64


class ComposeError(Exception):
    """A configuration that Hydra refuses, or that cannot be read here. `str(error)` is one sentence.

    `kind` is unknown-key, append-exists, missing-config, missing-value, bad-override, bad-config or open (`detail` is
    then the reason of what is not known). `key` is the option or file meant, `override` the argument that caused it,
    `choices` what could be meant instead.
    """

    def __init__(
        self, kind: str, message: str, key: str, override: Override | None = None, choices: Sequence[str] = ()
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.key = key
        self.override = override
        self.choices = tuple(choices)


class SearchPath:
    """The folders that configurations are looked for in, first match first. Each file is read once."""

    def __init__(self, sources: Sequence[ConfigSource]) -> None:
        self.sources = list(sources)
        self._read: dict[str, Config | None] = {}

    def load(self, path: str) -> Config | None:
        """The file at a path, None if no folder has it. Raises ComposeError for one that cannot be loaded."""
        if path not in self._read:
            found = (source.load(path) for source in self.sources)
            self._read[path] = next((config for config in found if config is not None), None)
        config = self._read[path]
        if config is not None and config.problem is not None:
            raise ComposeError("bad-config", f"{config.path}: {config.problem}", path)
        return config

    def is_group(self, path: str) -> bool:
        """Whether a folder has a folder of that path."""
        return bool(path) and "." not in path and any(source.is_group(path) for source in self.sources)

    def options(self, group: str) -> list[str]:
        """Names that a group offers, sorted."""
        return sorted({name for source in self.sources for name in source.options(group)})


class Part(Record):
    """One file of a composition: where it goes, and the overrides that chose it."""

    path: str
    package: str
    config: Config
    override: Override | None = None


class _Entry(Record, frozen=False):
    """An item of a defaults list at its place in the tree."""

    group: str | None
    name: str | list[str] | None
    package: str | None
    optional: bool = False
    override: bool = False
    appended: Override | None = None
    base: str = ""
    parent_package: str = ""
    header: str | None = None
    chosen: Override | None = None

    def place(self, base: str, parent_package: str) -> None:
        """Put it below its parent's folder and package."""
        self.base, self.parent_package = base, parent_package
        if self.package is not None and "_group_" in self.package:
            self.package = "_global_." + self.package.replace("_group_", self.folder.replace("/", "."))

    @property
    def is_self(self) -> bool:
        """Whether it stands for the file's own content."""
        return self.name == "_self_"

    @property
    def _written(self) -> str:
        """The folder as written."""
        if self.group is not None:
            return self.group
        return str(self.name).rpartition("/")[0]

    @property
    def folder(self) -> str:
        """The folder (group) it is in, from the root of the search path."""
        written = self._written
        absolute = (str(self.name) if self.group is None else self.group).startswith("/")
        written = written.lstrip("/") if absolute else written
        return written if absolute or not self.base else f"{self.base}/{written}" if written else self.base

    @property
    def path(self) -> str:
        """The file it names, from the root of the search path."""
        name = str(self.name).rpartition("/")[2] if self.group is None else str(self.name)
        return f"{self.folder}/{name}" if self.folder else name

    def final_package(self, *, header: bool = True) -> str:
        """The package its content goes to; `header` takes the file's own header into account."""
        package = self.header if self.package is None and header else self.package
        if package is None:
            package = self._written.removeprefix("/").replace("/", ".")
        joined = ".".join(part for part in (self.parent_package, package) if part)
        cut = joined.rfind("_global_")
        return joined if cut < 0 else joined[cut + len("_global_.") :]

    @property
    def key(self) -> str:
        """How overrides name it: the group, with the package where that is not the usual one."""
        package = self.final_package(header=False)
        if package == self.folder.replace("/", "."):
            return self.folder
        return f"{self.folder}@{package or '_global_'}"


def _entry(item: DefaultsItem) -> _Entry:
    package = "" if item.package == "_here_" else item.package
    return _Entry(item.group, item.name, package, item.optional, item.override)


class _Choice(Record, frozen=False):
    name: str | list[str] | None
    override: Override | None
    used: bool = False


class _Expansion(Record, frozen=False):
    """The state of one expansion."""

    search: SearchPath
    choices: dict[str, _Choice] = field(default_factory=dict)
    deletions: dict[str, Override] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    appended: list[Override] = field(default_factory=list)
    known: dict[str, Any] = field(default_factory=dict)
    placed: set[str] = field(default_factory=set)
    depth: int = 0

    def take(self, override: Override) -> None:
        """Note an override of a group."""
        value = override.value
        if override.mark == "++":
            raise ComposeError("bad-override", f"++ does not work for the group {override.key}", override.key, override)
        if isinstance(value, Unknown):
            raise ComposeError("open", value.reason, override.key, override)
        if override.mark == "~":
            if value is not None and not isinstance(value, str):
                raise ComposeError("bad-override", f"{override.key} is a group: its option is text", override.key,
                                   override)  # fmt: skip
            self.deletions[override.group_key] = override
        elif not isinstance(value, str) and not (
            isinstance(value, list) and all(isinstance(name, str) for name in value)
        ):
            raise ComposeError("bad-override", f"{override.key} is a group: its option must be text or a list",
                               override.key, override)  # fmt: skip
        elif override.mark == "+":
            self.appended.append(override)
        else:
            self.choices[override.group_key] = _Choice(value, override)

    def expand(self, entry: _Entry, *, root: bool = False, interpolated: bool = False) -> list[Part] | None:
        """The files that an entry stands for, in order of merging; None if it is one that has no list of its own."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ComposeError("bad-config", f"{entry.path}: defaults lists are nested too deeply", entry.path)
        try:
            return self._expand(entry, root=root, interpolated=interpolated)
        finally:
            self.depth -= 1

    def _expand(self, entry: _Entry, *, root: bool, interpolated: bool) -> list[Part]:
        key = entry.key if entry.group is not None else ""
        config = self.search.load(entry.path) if entry.name not in (None, "???") else None
        if config is not None:
            entry.header = _absolute(config.package)
        if key and self._is_deleted(key, entry):
            return []
        if key:
            self._know(key, entry)
        if entry.name is None:
            return []
        if str(entry.name).endswith("???"):
            offers = self.search.options(entry.folder)
            raise ComposeError("missing-value", f"an option of {key} must be chosen", key, None, offers)
        if config is None:
            if entry.optional:
                return []
            offers = self.search.options(entry.folder)
            override = entry.chosen or entry.appended
            raise ComposeError("missing-config", f"{entry.path} is not found", entry.path, override, offers)
        items = [_entry(item) for item in config.defaults or ()]
        if items or (root and self.appended):
            own = sum(item.is_self for item in items)
            if own > 1:
                raise ComposeError("bad-config", f"{entry.path}: _self_ stands twice in the defaults list", entry.path)
            if not items or (not own and any(not item.override for item in items)):
                items.append(_Entry(None, "_self_", None))
        if root:
            items.extend(_Entry(item.key, item.value, item.package, appended=item) for item in self.appended)
        self._place(items, entry, interpolated=interpolated)
        children = self._children(items, entry, config, interpolated=interpolated)
        if children is not None:
            return children
        if entry.group is not None:
            if key in self.placed:
                raise ComposeError("bad-config", f"{key} appears twice in the defaults list", key)
            self.placed.add(key)
        return [Part(entry.path, entry.final_package(), config, entry.chosen or entry.appended)]

    def _children(self, items: list[_Entry], entry: _Entry, config: Config, *, interpolated: bool) -> list[Part] | None:
        """The parts of a file's defaults list; None where it has no effective item.

        The list is gone through from its end, and what depends on other choices last: so a later item's `override`
        lines hold for an earlier item.
        """
        groups: list[list[Part] | _Entry] = []
        for item in reversed(items):
            if item.is_self:
                groups.append([Part(entry.path, entry.final_package(), config, entry.chosen or entry.appended)])
                continue
            if item.override:
                continue
            choice = self.choices.get(item.key) if item.group is not None else None
            if choice is not None:
                item.name, item.chosen, choice.used = choice.name, choice.override, True
            if isinstance(item.name, list):
                for name in reversed(item.name):
                    option = _Entry(None, f"{item.group}/{name}", item.package, item.optional)
                    option.chosen = item.chosen or item.appended
                    option.place(entry.folder, entry.final_package())
                    groups.append(self.expand(option, interpolated=interpolated) or [])
            elif item.name is not None and "${" in item.name:
                groups.append(item)
            else:
                groups.append(self.expand(item, interpolated=interpolated) or [])
        if not groups:
            return None
        found: list[list[Part]] = []
        for group in groups:
            if isinstance(group, _Entry):
                group.name = self._interpolate(group, entry)
                found.append(self.expand(group, interpolated=True) or [])
            else:
                found.append(group)
        return [part for group in reversed(found) for part in group]

    def _place(self, items: list[_Entry], entry: _Entry, *, interpolated: bool) -> None:
        """Put the items below their parent and note their `override` lines, the first of a key winning."""
        seen = False
        for item in items:
            if item.is_self:
                continue
            item.place(entry.folder, entry.final_package())
            if seen and not (item.override or item.appended is not None):
                raise ComposeError("bad-config", f"{entry.path}: overrides must stand last in the defaults list",
                                   entry.path)  # fmt: skip
            if item.override:
                seen = True
                if interpolated:
                    raise ComposeError("bad-config", f"{entry.path}: overrides do not work below an interpolated group",
                                       entry.path)  # fmt: skip
                self.choices.setdefault(item.key, _Choice(item.name, None))

    def _is_deleted(self, key: str, entry: _Entry) -> bool:
        override = self.deletions.get(key)
        if override is None or override.value not in (None, entry.name):
            return False
        self.deleted.add(key)
        return True

    def _know(self, key: str, entry: _Entry) -> None:
        """Remember which option a group has; two different ones are refused."""
        if self.known.setdefault(key, entry.name) != entry.name:
            raise ComposeError("bad-config", f"{key} is given as {self.known[key]} and as {entry.name}", key,
                               entry.chosen or entry.appended, (str(self.known[key]),))  # fmt: skip

    def _interpolate(self, item: _Entry, entry: _Entry) -> str:
        """The name that an interpolated item has after all other choices are made."""
        text = str(item.name) if item.group is not None else item.path
        resolver = Resolver({"name": Leaf(text), **{key: Leaf(value) for key, value in self.known.items()}})
        value = resolver.value(("name",))
        name = getattr(value, "value", None)
        if isinstance(value, Unknown) or not isinstance(name, str):
            raise ComposeError("bad-config", f"{entry.path}: {text} does not resolve", text)
        return name

    def finish(self) -> None:
        """Refuse choices and deletions that met no item."""
        for key, choice in self.choices.items():
            if not choice.used:
                near = [other for other in self.known if other.partition("@")[0] == key.partition("@")[0]]
                raise ComposeError("unknown-key", f"{key} is not in the defaults list", key, choice.override, near)
        for key, override in self.deletions.items():
            if key not in self.deleted:
                raise ComposeError("unknown-key", f"{key} is not in the defaults list", key, override)


def _absolute(package: str | None) -> str | None:
    """A package header, which always counts from the root."""
    if package is None or package == "_global_" or package.startswith("_global_."):
        return package
    return f"_global_.{package}"


def expand(search: SearchPath, primary: str, overrides: Sequence[Override]) -> list[Part]:
    """The files that a primary configuration is composed of under group overrides, in order of merging.

    `overrides` are those of groups only. Raises ComposeError.
    """
    state = _Expansion(search)
    for override in overrides:
        if not isinstance(override.value, Sweep):
            state.take(override)
    parts = state.expand(_Entry(None, primary, None), root=True)
    state.finish()
    return parts or []
