"""What `${...}` denotes: other nodes, `oc.env`, `oc.select`, `oc.decode` and resolvers that a framework registers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any

from grpolint.digits import MOST, whole
from grpolint.frameworks.hydra.tree import Branch, Leaf, Tree
from grpolint.regex import regex
from grpolint.values import Default, Known, Origin, Unknown, Value

__all__ = ["Environment", "Resolver"]

Environment = Callable[[str], "Value | None"]
"""Value of an environment variable as the documents set it, None if they set none."""

_KEY = regex(r"[^\\{}()\[\]:. \t'\"]+")
_NAME = regex(r"[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*(?=:)", re.ASCII)
_INTEGER = regex(r"[+-]?(?:0|[1-9](?:_?[0-9])*)", re.ASCII)
_FLOAT = regex(
    r"[+-]?(?:(?:(?:0|[1-9](?:_?[0-9])*)\.?|(?:0|[1-9](?:_?[0-9])*)?\.[0-9](?:_?[0-9])*)(?:[eE][+-]?[0-9](?:_?[0-9])*)?"
    r"|inf|nan)",
    re.ASCII | re.IGNORECASE,
)
_ESCAPABLE = "\\()[]{}:=, \t"
_DEEPEST = 40
_PLAIN = frozenset((bool, int, float))
_NOTHING = object()


class _Open(Exception):
    def __init__(self, reason: str, origins: tuple[Origin, ...] = (), alternatives: tuple[Any, ...] = ()) -> None:
        super().__init__(reason)
        self.unknown = Unknown(reason, origins, alternatives)


class Resolver:
    """Gives the values of a configuration, interpolations followed.

    `environment` answers `oc.env`, `functions` are further resolvers by name. A value that is the release's own all
    the way is a Default; one that a document takes part in is Known, with the origins of that part.
    """

    def __init__(
        self,
        root: Tree,
        environment: Environment | None = None,
        functions: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        self.root = root
        self.environment = environment
        self.functions = functions if functions is not None else {}
        self._origins: list[Origin] = []
        self._touched = False
        self._step = _Step()

    # questions

    def value(self, path: tuple[str, ...]) -> Value | None:
        """The value at a path, dictionaries as plain data; None where the configuration has no such key."""
        try:
            node = self.node(path)
        except _Open as unknown:
            return unknown.unknown
        return None if node is None else self.value_of(node, path)

    def value_of(self, node: Branch, path: tuple[str, ...]) -> Value:
        """The value of a node that stands at `path`."""
        if isinstance(node, Leaf) and node.release is not None and _literal(node.value):  # most options of a release
            return Default(node.value, node.release.framework, node.release.version, node.release.path)
        self._origins, self._touched = [], False
        try:
            value = self.content(node, path)
        except _Open as unknown:
            return unknown.unknown
        if not self._touched:
            release = next((leaf.release for leaf in _all(node) if leaf.release is not None), None)
            if release is not None:
                return Default(value, release.framework, release.version, release.path)
        return Known(value, tuple(self._origins if len(self._origins) < 2 else dict.fromkeys(self._origins)))

    def node(self, path: tuple[str, ...]) -> Branch | None:
        """The node at a path as it stands, interpolations on the way (not at the end) followed."""
        at: Branch | Any = self.root
        for index, step in enumerate(path):
            if isinstance(at, Leaf) and at.interpolation:
                at = self._target(at, path[:index])
            if isinstance(at, Leaf) and isinstance(at.value, Unknown):
                raise _Open(at.value.reason, at.value.origins)
            if isinstance(at, dict):
                at = at.get(step)
            elif (
                isinstance(at, Leaf)
                and isinstance(at.value, list)
                and (place := whole(step)) is not None
                and place < len(at.value)
            ):
                at = Leaf(at.value[place], at.origins, at.release, at.span)
            else:
                return None
            if at is None:
                return None
        found: Branch = at
        return found

    def container(self, leaf: Leaf, path: tuple[str, ...]) -> Branch | None:
        """The dictionary or list that an interpolation at `path` denotes; None for anything else."""
        try:
            found = self._target(leaf, path)
        except _Open:
            return None
        if isinstance(found, dict):
            return found
        return found if isinstance(found, Leaf) and isinstance(found.value, list) else None

    # following

    def content(self, node: Branch, path: tuple[str, ...]) -> Any:
        """Plain data of a node with every interpolation followed; notes origins on the way."""
        if isinstance(node, dict):
            with self.deeper():
                return {key: self.content(value, (*path, key)) for key, value in node.items()}
        value = node.value
        if node.release is None:
            self._touched = True
            self._origins.extend(node.origins)
        elif isinstance(value, str) and "${" in value:
            self._origins.append(Origin("default", None, f"{node.release.framework} {node.release.version}"))
        if _literal(value):
            return value
        with self.deeper():
            return self._data(value, path)

    def deeper(self) -> _Step:
        """One step further on the way to a value, for `with`; too many are a cycle."""
        return self._step

    def _target(self, leaf: Leaf, path: tuple[str, ...]) -> Branch | None:
        """The node behind a leaf that is exactly one interpolation of a node; any other value becomes a leaf."""
        seen = 0
        at: Branch | None = leaf
        while isinstance(at, Leaf) and at.interpolation:
            seen += 1
            if seen > _DEEPEST:
                raise _Open("expression:cycle")
            value = _Text(self, at.value, path[:-1]).whole(nodes=True)
            if isinstance(value, _Node):
                at, path = value.node, value.path
            else:
                return Leaf(value, at.origins, at.release, at.span)
        return at

    def _data(self, value: Any, path: tuple[str, ...]) -> Any:
        if isinstance(value, str):
            if "${" not in value:
                return value
            call = _call(value)
            if call is None:
                return _Text(self, value, path[:-1]).whole()
            with self.deeper():
                return self.call(call[0], list(call[1]), path[:-1])
        if isinstance(value, Unknown):
            raise _Open(value.reason, value.origins, value.alternatives)
        if isinstance(value, list):
            return [self._data(item, (*path, str(index))) for index, item in enumerate(value)]
        if isinstance(value, dict):
            return {key: self._data(item, (*path, str(key))) for key, item in value.items()}
        return value

    # resolvers

    def call(self, name: str, arguments: list[Any], parent: tuple[str, ...]) -> Any:
        """Result of a resolver. Raises _Open for what is not known."""
        try:
            if name == "oc.env":
                return self._environment(*arguments)
            if name == "oc.select":
                return self._select(parent, *arguments)
            if name == "oc.decode":
                text = arguments[0]
                return text if text is None else _Text(self, str(text), parent).argument()
            if name == "oc.create":
                return arguments[0]
            if name == "oc.deprecated":
                return self.content(*self.find(str(arguments[0]), parent))
            if name in ("oc.dict.keys", "oc.dict.values"):
                found = self.content(*self.find(str(arguments[0]), parent))
                return list(found) if name.endswith("keys") else list(found.values())
            function = self.functions.get(name)
            if function is not None:
                return function(*arguments)
        except (TypeError, ValueError, ArithmeticError, IndexError, AttributeError) as error:
            raise _Open(f"expression:{name}") from error
        raise _Open(f"expression:{name}")

    def _environment(self, name: str, default: Any = _NOTHING) -> Any:
        value = self.environment(str(name)) if self.environment is not None else None
        if isinstance(value, Unknown):
            raise _Open(value.reason, value.origins, value.alternatives)
        if value is not None:
            self._touched = True
            self._origins.extend(value.origins)
            return value.value
        if default is _NOTHING:
            raise _Open(f"env:{name}")
        return default if default is None else str(default)

    def _select(self, parent: tuple[str, ...], key: str, default: Any = None) -> Any:
        try:
            node, path = self.find(str(key), parent)
        except _Open as unknown:
            if unknown.unknown.reason.startswith("interpolation:"):
                return default
            raise
        if isinstance(node, Leaf) and node.missing:
            return default
        return self.content(node, path)

    def find(self, key: str, parent: tuple[str, ...]) -> tuple[Branch, tuple[str, ...]]:
        """The node that a key names, relative to `parent` if it begins with dots. Raises _Open where there is none."""
        bare = key.lstrip(".")
        up = len(key) - len(bare)
        steps = tuple(step for step in re.split(r"[.\[\]]+", bare) if step)
        if up > len(parent) + 1:
            raise _Open(f"interpolation:{key}")
        path = (*parent[: len(parent) - up + 1], *steps) if up else steps
        node = self.node(path) if path else self.root
        if node is None:
            raise _Open(f"interpolation:{key}")
        return node, path


class _Node:
    """A node that an interpolation denotes, before it is turned into data."""

    __slots__ = ("node", "path")

    def __init__(self, node: Branch, path: tuple[str, ...]) -> None:
        self.node = node
        self.path = path


class _Step:
    """Counts how deep a resolver is."""

    __slots__ = ("depth",)

    def __init__(self) -> None:
        self.depth = 0

    def __enter__(self) -> None:
        if self.depth >= _DEEPEST:
            raise _Open("expression:cycle")
        self.depth += 1

    def __exit__(self, *_: object) -> None:
        self.depth -= 1


class _Text:
    """Evaluates one text with interpolations; `parent` is the path of the dictionary or list it stands in."""

    def __init__(self, resolver: Resolver, text: str, parent: tuple[str, ...]) -> None:
        self.resolver = resolver
        self.text = text
        self.parent = parent
        self.at = 0

    def whole(self, *, nodes: bool = False) -> Any:
        """The value of the whole text: of any type if it is one interpolation, else text.

        With `nodes`, an interpolation of a node gives the node itself (`_Node`).
        """
        pieces: list[Any] = []
        while self.at < len(self.text):
            start = self.text.find("${", self.at)
            if start < 0:
                pieces.append(self.text[self.at :])
                break
            slashes = start - len(self.text[self.at : start].rstrip("\\")) - self.at
            lead = self.text[self.at : start - slashes] + "\\" * (slashes // 2)
            if slashes % 2:
                pieces.append(lead + "${")
                self.at = start + 2
                continue
            if lead:
                pieces.append(lead)
            self.at = start
            only = nodes and not pieces and self._closing() == len(self.text)
            pieces.append(self.interpolation(nodes=only))
        if len(pieces) == 1:
            return pieces[0]
        return "".join(_shown(piece) for piece in pieces)

    def _closing(self) -> int:
        """Offset after the brace that closes the interpolation at `at`."""
        depth = 0
        for offset in range(self.at, len(self.text)):
            if self.text[offset] == "{":
                depth += 1
            elif self.text[offset] == "}":
                depth -= 1
                if depth == 0:
                    return offset + 1
        return -1

    def interpolation(self, *, nodes: bool = False) -> Any:
        """The value of the interpolation that begins at `at`."""
        with self.resolver.deeper():
            return self._inside(nodes=nodes)

    def _inside(self, *, nodes: bool) -> Any:
        self.at += 2
        name = _NAME.match(self.text, self.at)
        if name is not None:
            self.at = name.end() + 1
            arguments = self.arguments("}")
            return self.resolver.call(name.group(), arguments, self.parent)
        key = ""
        while self.at < len(self.text) and self.text[self.at] != "}":
            if self.text.startswith("${", self.at):
                key += str(self.interpolation())
            elif self.text[self.at] in ".[]":
                key += self.text[self.at]
                self.at += 1
            else:
                match = _KEY.match(self.text, self.at)
                if match is None:
                    raise _Open(f"expression:{self.text}")
                key += match.group()
                self.at = match.end()
        if self.at >= len(self.text):
            raise _Open(f"expression:{self.text}")
        self.at += 1
        node, path = self.resolver.find(key, self.parent)
        if nodes:
            return _Node(node, path)
        if isinstance(node, Leaf) and node.missing:
            raise _Open(f"interpolation:{key}")
        return self.resolver.content(node, path)

    def arguments(self, end: str) -> list[Any]:
        """Comma-separated values up to the closing mark `end`; an omitted one is the empty text."""
        found: list[Any] = []
        self.blanks()
        if self.text.startswith(end, self.at):
            self.at += 1
            return found
        while True:
            found.append(self.argument(",:" + end if end == "\0" else "," + end))
            self.blanks()
            mark = self.text[self.at : self.at + 1]
            self.at += 1
            if mark == end:
                return found
            if mark != ",":
                raise _Open(f"expression:{self.text}")

    def argument(self, stops: str = "") -> Any:
        """One value: quoted, a list, a dictionary or unquoted text up to one of `stops`."""
        self.blanks()
        mark = self.text[self.at : self.at + 1]
        if mark and mark in "'\"":
            return self.quoted(mark)
        if mark == "[":
            self.at += 1
            return self.arguments("]")
        if mark == "{":
            return self.dictionary()
        return self.primitive(stops)

    def quoted(self, mark: str) -> str:
        """Text in quotes, interpolations inside it followed."""
        end = self.at + 1
        while end < len(self.text) and self.text[end] != mark:
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            raise _Open(f"expression:{self.text}")
        inside = self.text[self.at + 1 : end].replace("\\" + mark, mark)
        self.at = end + 1
        return str(_Text(self.resolver, inside, self.parent).whole()) if "${" in inside else inside

    def dictionary(self) -> dict[Any, Any]:
        """`{key: value, ...}`."""
        self.at += 1
        found: dict[Any, Any] = {}
        self.blanks()
        while not self.text.startswith("}", self.at):
            key = self.argument(":,}")
            self.blanks()
            if not self.text.startswith(":", self.at):
                raise _Open(f"expression:{self.text}")
            self.at += 1
            found[key] = self.argument(",}")
            self.blanks()
            if self.text.startswith(",", self.at):
                self.at += 1
                self.blanks()
            elif not self.text.startswith("}", self.at):
                raise _Open(f"expression:{self.text}")
        self.at += 1
        return found

    def primitive(self, stops: str) -> Any:
        """Unquoted text: a number, truth value or null if it is nothing else, else text."""
        pieces: list[Any] = []
        text = ""
        escaped = False
        while self.at < len(self.text) and self.text[self.at] not in stops:
            if self.text.startswith("${", self.at):
                if text:
                    pieces.append(text)
                    text = ""
                pieces.append(self.interpolation())
                continue
            if self.text[self.at] == "\\" and self.text[self.at + 1 : self.at + 2] in _ESCAPABLE:
                self.at += 1
                escaped = True
                text += self.text[self.at : self.at + 1]
                self.at += 1
                continue
            # A stretch without anything special, or the one special character that is none here.
            end = _stretch(stops).match(self.text, self.at + 1).end()  # type: ignore[union-attr]
            text += self.text[self.at : end]
            self.at = end
        if not escaped:
            text = text.rstrip(" \t")
        if text or not pieces:
            pieces.append(text)
        if len(pieces) > 1:
            return "".join(_shown(piece) for piece in pieces)
        return _typed(text) if pieces[0] is text and not escaped else pieces[0]

    def blanks(self) -> None:
        """Go past blanks."""
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1


@lru_cache(maxsize=2048)
def _call(text: str) -> tuple[str, tuple[Any, ...]] | None:
    """Resolver and arguments of a text that is one call with plain arguments, None for all others.

    The defaults of a release are such texts, and every run reads the same ones.
    """
    name = _NAME.match(text, 2) if text.startswith("${") else None
    if name is None or any(mark in text[2:] for mark in ("${", "\\", '"', "'", "[", "{")):
        return None
    reader = _Text(Resolver({}), text, ())
    reader.at = name.end() + 1
    try:
        arguments = reader.arguments("}")
    except _Open:
        return None
    return (name.group(), tuple(arguments)) if reader.at == len(text) else None


@cache
def _stretch(stops: str) -> re.Pattern[str]:
    """Characters of unquoted text, up to one that may be special."""
    return re.compile(rf"[^$\\{re.escape(stops)}]*")


def _typed(text: str) -> Any:
    if _INTEGER.fullmatch(text) and len(text) <= MOST:
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return {"true": True, "false": False, "null": None}.get(text.lower(), text)


def _shown(value: Any) -> str:
    return "None" if value is None else str(value)


def _literal(value: Any) -> bool:
    """Whether a value holds no interpolation."""
    return value is None or type(value) in _PLAIN or (type(value) is str and "${" not in value)


def _all(node: Branch) -> list[Leaf]:
    if isinstance(node, Leaf):
        return [node]
    return [leaf for value in node.values() for leaf in _all(value)]
