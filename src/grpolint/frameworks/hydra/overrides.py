"""One override of a Hydra command line: `key=value`, `+key=value`, `++key=value`, `~key`, `group@package=option`.

The language is Hydra's own (1.3): unquoted text may hold blanks and colons but no `=`, quotes, `#` or letters outside
ASCII; numbers may have underscores; a bare comma makes a sweep. Escapes and quoting are undone, so `value` is what the
program would see.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from grpolint.digits import MOST
from grpolint.launch import Word
from grpolint.records import Record
from grpolint.regex import regex
from grpolint.values import Origin, Unknown

__all__ = ["Override", "OverrideError", "Sweep", "parse_override", "parse_value", "read_word"]


class OverrideError(ValueError):
    """A text that is no override. `str(error)` is one sentence; `offset` is the character where reading stopped."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


class Sweep(Record):
    """Several values for one key, which only `--multirun` accepts. `kind` is simple, choice, range, interval or glob."""

    kind: str
    values: tuple[Any, ...]


class Override(Record):
    """One override. `mark` is "", "+", "++" or "~"; `key` a dotted key or a group path; `value` plain Python data.

    `has_value` is false only for a deletion without `=`. A value with unknown parts is an `Unknown`, inside lists and
    dictionaries too. `word` is the argument it was read from, None for text.
    """

    mark: str
    key: str
    package: str | None = None
    value: Any = None
    has_value: bool = True
    word: Word | None = None
    origins: tuple[Origin, ...] = (Origin("override"),)
    """The override as a step, then where its characters come from."""

    @property
    def group_key(self) -> str:
        """Key and package as a defaults list names them: `actor@actor_rollout_ref.actor`."""
        return self.key if self.package is None else f"{self.key}@{self.package}"

    @property
    def hydra(self) -> bool:
        """Whether it configures Hydra itself rather than the program."""
        return self.key.startswith(("hydra.", "hydra/"))


_INT = r"(?:0|[1-9](?:_?[0-9])*)"
_POINT = rf"(?:{_INT}?\.[0-9](?:_?[0-9])*|{_INT}\.)"
_ID = r"[A-Za-z_][A-Za-z0-9_-]*"
_SPECIAL = r"[A-Za-z_$][A-Za-z0-9_$-]*"
_STEP = rf"(?:{_SPECIAL}|{_INT})"
_PACKAGE = rf"(?:{_STEP}(?:\.{_STEP})+|{_SPECIAL}|)"

_HEAD = regex(
    rf"(?P<mark>~|\+\+|\+|)(?P<key>{_ID}(?:/{_ID})+|{_PACKAGE})(?:@(?P<package>{_PACKAGE}))?(?P<equal>=[ \t]*|\Z)"
)

_TOKEN = regex(
    rf"""
      [ \t]*(?P<mark>[(,:=])[ \t]*
    | [ \t]*(?P<close>[)\]}}])
    | (?P<open>[\[{{])[ \t]*
    | (?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<interpolation>\$\{{[^}}]+\}})
    | (?P<id>{_ID})
    | (?P<float>[+-]?(?:(?:{_POINT}|{_INT})[eE][+-]?[0-9](?:_?[0-9])*|{_POINT}|[Ii][Nn][Ff]|[Nn][Aa][Nn]))
    | (?P<int>[+-]?{_INT})
    | (?P<escape>(?:\\[\\()\[\]{{}}:=, \t])+)
    | (?P<char>[/\-\\+.$%*@?|])
    | (?P<blank>[ \t]+)
    """,
    re.DOTALL | re.VERBOSE,
)

_ESCAPED_QUOTE = {quote: regex(rf"\\+{quote}") for quote in "'\""}
_WORDS: dict[str, Any] = {
    "true": True,
    "false": False,
    "null": None,
    "inf": float("inf"),
    "nan": float("nan"),
}
_PATH = regex(r"[A-Za-z0-9_./@-]*/[A-Za-z0-9_./@-]*")
_KEY_PIECES = frozenset(("id", "float", "int", "escape", "char", "blank"))
_PIECES = _KEY_PIECES | {"interpolation", ":"}
_DEEPEST = 64

_OPENED = regex(r"__open(\d+)__")
"""Stands for an unknown part of a word while the text is parsed: reads as an identifier, joins with its neighbours."""


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


def _tokens(text: str, start: int) -> list[_Token]:
    found = []
    at = start
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise OverrideError(f"{text[at]!r} is not allowed in a value without quotes", at)
        kind = match.lastgroup or ""
        found.append(_Token(match.group(kind) if kind in ("mark", "close", "open") else kind, match.group(), at))
        at = match.end()
    found.append(_Token("end", "", len(text)))
    return found


class _Reader:
    """Reads the value of one override from its tokens."""

    def __init__(self, text: str, start: int) -> None:
        self.tokens = _tokens(text, start)
        self.at = 0
        self.depth = 0

    def take(self, *kinds: str) -> str:
        """The kind of the next token, which must be one of `kinds`; goes past it."""
        token = self.tokens[self.at]
        if token.kind not in kinds:
            wanted = " or ".join(repr(kind) for kind in kinds)
            raise OverrideError(f"{token.text!r} where {wanted} is expected" if token.text else f"{wanted} is missing",
                                token.start)  # fmt: skip
        self.at += 1
        return token.kind

    def value(self) -> Any:
        """The whole value: one element, or several with commas between (a sweep)."""
        values = [self.element()]
        while self.tokens[self.at].kind == ",":
            self.at += 1
            values.append(self.element())
        token = self.tokens[self.at]
        if token.kind != "end":
            raise OverrideError(f"unexpected {token.text.strip()!r} in the value", token.start)
        return values[0] if len(values) == 1 else Sweep("simple", tuple(values))

    def element(self) -> Any:
        """A primitive, list, dictionary or function call."""
        token = self.tokens[self.at]
        self.depth += 1
        if self.depth > _DEEPEST:
            raise OverrideError("nested too deeply", token.start)
        value: Any
        if token.kind == "[":
            self.at += 1
            value = self.items("]", self.element)
        elif token.kind == "{":
            self.at += 1
            value = dict(self.items("}", self.pair))
        elif token.kind == "id" and self.tokens[self.at + 1].kind == "(":
            value = self.call(token)
        elif token.kind == "quoted":
            self.at += 1
            value = _unquote(token.text)
        else:
            value = self.primitive(_PIECES)
        self.depth -= 1
        return value

    def items(self, end: str, read: Callable[[], Any]) -> list[Any]:
        """Comma-separated items up to the closing mark `end`."""
        found: list[Any] = []
        if self.tokens[self.at].kind == end:
            self.at += 1
            return found
        while True:
            found.append(read())
            if self.take(",", end) == end:
                return found

    def pair(self) -> tuple[Any, Any]:
        """One `key: value` of a dictionary."""
        key = self.primitive(_KEY_PIECES)
        self.take(":")
        return key, self.element()

    def primitive(self, allowed: frozenset[str]) -> Any:
        """Text without quotes: a number, truth value or null if it is one token, else a string."""
        first = self.tokens[self.at]
        pieces: list[_Token] = []
        while self.tokens[self.at].kind in allowed:
            pieces.append(self.tokens[self.at])
            self.at += 1
        if pieces and pieces[0].kind == "blank":
            del pieces[0]
        if pieces and pieces[-1].kind == "blank":
            del pieces[-1]
        if not pieces:
            raise OverrideError(f"a value is missing before {first.text!r}" if first.text else "a value is missing",
                                first.start)  # fmt: skip
        if len(pieces) == 1:
            return _scalar(pieces[0])
        return "".join(token.text[1::2] if token.kind == "escape" else token.text for token in pieces)

    def call(self, name: _Token) -> Any:
        """A function call: casts are computed, sweeps recorded."""
        self.at += 2
        named: dict[str, Any] = {}
        arguments: list[Any] = []

        def argument() -> None:
            token = self.tokens[self.at]
            if token.kind == "id" and self.tokens[self.at + 1].kind == "=":
                self.at += 2
                named[token.text] = self.element()
            elif named:
                raise OverrideError("a positional argument follows a named one", token.start)
            else:
                arguments.append(self.element())

        self.items(")", argument)
        try:
            return _apply(name.text, arguments, named)
        except (TypeError, ValueError, OverflowError) as error:
            raise OverrideError(f"{name.text}(...): {error}", name.start) from error


def _scalar(token: _Token) -> Any:
    if token.kind == "id":
        return _WORDS.get(token.text.lower(), token.text)
    if token.kind == "int":
        try:
            return int(token.text)
        except ValueError as error:
            raise OverrideError("an integer too long to be read", token.start) from error
    if token.kind == "float":
        return float(token.text)
    return token.text[1::2] if token.kind == "escape" else token.text


def _unquote(text: str) -> str:
    """The content of a quoted text: backslashes count only before a quote of its kind (and the closing one)."""
    inside = _ESCAPED_QUOTE[text[0]].sub(lambda match: match.group()[1::2], text[1:])
    # of an even number of backslashes before the closing quote every second character is taken: the quote is gone
    return inside if text[-2] == "\\" else inside[:-1]


def _cast(kind: Callable[[Any], Any], value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _cast(kind, item) for key, item in value.items()}
    if isinstance(value, list):
        return [_cast(kind, item) for item in value]
    if isinstance(value, Sweep):
        if value.kind in ("interval", "range", "glob") and kind in (_to_text, _to_bool):
            raise ValueError(f"a {value.kind} cannot be cast to that")
        return Sweep(value.kind, tuple(_cast(kind, item) for item in value.values))
    if value is None and kind is not _to_bool:
        raise TypeError("null cannot be cast")
    if isinstance(value, str) and _OPENED.search(value):
        return value
    return kind(value)


def _to_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _to_bool(value: Any) -> bool:
    if isinstance(value, str):
        if value.lower() not in ("true", "false"):
            raise ValueError(f"{value!r} is no truth value")
        return value.lower() == "true"
    return bool(value)


_CASTS: dict[str, Callable[[Any], Any]] = {"int": int, "float": float, "str": _to_text, "bool": _to_bool}


def _apply(name: str, arguments: list[Any], named: dict[str, Any]) -> Any:
    """Result of one of Hydra's functions. Raises ValueError or TypeError as Hydra refuses it."""
    cast = _CASTS.get(name)
    if cast is not None:
        if "value" in named and not arguments and len(named) == 1 and named["value"] is not None:
            return _cast(cast, named["value"])
        if named or not arguments:
            raise TypeError("takes one value")
        return _cast(cast, arguments[0] if len(arguments) == 1 else Sweep("simple", tuple(arguments)))
    if name == "choice" and arguments and not named:
        if len(arguments) == 1 and isinstance(arguments[0], Sweep):
            if arguments[0].kind != "simple":
                raise ValueError("choices cannot be nested")
            return Sweep("choice", arguments[0].values)
        return Sweep("choice", tuple(arguments))
    if name in ("range", "interval"):
        names = ("start", "stop", "step") if name == "range" else ("start", "end")
        numbers = dict(zip(names, arguments, strict=False)) | named
        wrong = [value for value in numbers.values() if type(value) not in (int, float)]
        enough = "start" in numbers and (name == "range" or "end" in numbers)
        if wrong or not enough or len(arguments) > len(names) or not numbers.keys() <= set(names):
            raise TypeError("takes numbers")
        return Sweep(name, tuple(numbers.values()))
    if name == "glob" and arguments:
        return Sweep("glob", tuple(arguments))
    if name == "tag" and arguments and isinstance(arguments[-1], Sweep):
        return arguments[-1]
    if name in ("sort", "shuffle") and (arguments or "list" in named):
        return _order(name, [named["list"]] if "list" in named else arguments, bool(named.get("reverse", False)))
    raise ValueError("no such function, or not with these arguments")


def _order(name: str, arguments: list[Any], reverse: bool) -> Any:
    """`sort` and `shuffle`: a list stays a list, several values are a sweep."""
    if len(arguments) > 1:
        return Sweep("simple", tuple(sorted(arguments, reverse=reverse) if name == "sort" else arguments))
    only = arguments[0]
    if name == "shuffle" and not isinstance(only, Sweep):
        return Unknown("expression:shuffle")
    return sorted(only, reverse=reverse) if isinstance(only, list) else only


def parse_value(text: str, start: int = 0) -> Any:
    """The value that `text` from character `start` on denotes; an empty rest is the empty string.

    Raises OverrideError.
    """
    rest = text[start:]
    plain = _plain(rest)
    if plain is not None:
        return plain
    return _Reader(text, start).value() if rest else ""


def _plain(text: str) -> Any:
    """The value of a text of the usual forms (word, number, path), read without the grammar; None for all others.

    None is also the value of `null`, which the grammar then reads.
    """
    if not text.isascii():
        return None
    if text.isdigit() and len(text) <= MOST:
        return int(text) if text[0] != "0" or len(text) == 1 else None
    if text.replace("-", "_").isidentifier():
        return _WORDS.get(text.lower(), text) if text[0] != "-" else None
    whole, point, fraction = text.partition(".")
    if point and whole.isdigit() and fraction.isdigit():
        return float(text) if whole[0] != "0" or len(whole) == 1 else None
    return text if _PATH.fullmatch(text) else None


class _Head(NamedTuple):
    """What stands before the value of an override; `end` is where the value starts."""

    mark: str
    key: str
    package: str | None
    equal: bool
    end: int


def _head(text: str) -> _Head | None:
    """The part of an override before its value; None where that is not of the form Hydra demands."""
    before, equal, after = text.partition("=")
    mark = "++" if before.startswith("++") else "+" if before.startswith("+") else ""
    key = before[len(mark) :]
    if equal and key.isascii() and all(map(str.isidentifier, key.split("."))):
        return _Head(mark, key, None, True, len(text) - len(after.lstrip(" \t")))
    match = _HEAD.match(text)
    if match is None:
        return None
    return _Head(match["mark"], match["key"], match["package"], bool(match["equal"]), match.end())


def parse_override(text: str) -> Override:
    """Parse one override. Raises OverrideError if Hydra would refuse it."""
    head = _head(text)
    if head is None:
        raise OverrideError("not of the form key=value")
    if not head.equal:
        if head.mark != "~":
            raise OverrideError("'=' is missing after the key", len(text))
        return Override(head.mark, head.key, head.package, None, has_value=False)
    return Override(head.mark, head.key, head.package, parse_value(text, head.end))


def read_word(word: Word) -> Override:
    """Parse one argument of a command, unknown parts included.

    A value that has unknown parts becomes Unknown with the first one's reason, and so does a value that cannot be
    read but for them. Raises OverrideError if the known text cannot be an override, or if the key is not known.
    """
    known = word.text
    origins = (Origin("override", word.span), *word.origins)
    if known is not None:
        plain = parse_override(known)
        return Override(plain.mark, plain.key, plain.package, plain.value, plain.has_value, word, origins)
    reasons = [part.unknown or "" for part in word.parts]
    text = "".join(part.text if part.text is not None else f"__open{index}__" for index, part in enumerate(word.parts))
    head = _head(text)
    if head is None or _OPENED.search(text, 0, head.end):
        raise OverrideError(f"the key depends on {word.reason}")
    try:
        value = _opened(parse_override(text).value, reasons, word)
    except OverrideError:
        value = Unknown(word.reason or "", word.origins)
    if isinstance(value, Unknown):
        value = Unknown(value.reason, value.origins, tuple(_alternatives(word, text)))
    return Override(head.mark, head.key, head.package, value, True, word, origins)


def _opened(value: Any, reasons: list[str], word: Word) -> Any:
    """`value` with every text that holds a placeholder replaced by Unknown."""
    if isinstance(value, str):
        match = _OPENED.search(value)
        return Unknown(reasons[int(match.group(1))], word.origins) if match is not None else value
    if isinstance(value, list):
        return [_opened(item, reasons, word) for item in value]
    if isinstance(value, dict):
        if any(isinstance(key, str) and _OPENED.search(key) for key in value):
            return Unknown(word.reason or "", word.origins)
        return {key: _opened(item, reasons, word) for key, item in value.items()}
    if isinstance(value, Sweep):
        return Sweep(value.kind, tuple(_opened(item, reasons, word) for item in value.values))
    return value


def _alternatives(word: Word, text: str) -> list[Any]:
    """The only possible values of a word with one unknown part whose texts are listed; empty where they are not."""
    unknown = [(index, part) for index, part in enumerate(word.parts) if part.unknown is not None]
    if len(unknown) != 1:
        return []
    index, part = unknown[0]
    try:
        return [parse_override(text.replace(f"__open{index}__", other)).value for other in part.alternatives]
    except OverrideError:
        return []
