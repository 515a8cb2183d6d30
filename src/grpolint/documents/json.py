"""JSON to positioned documents, with the liberties that Hjson (DeepSpeed's loader) and hand-written files take.

The scanner reads the union of strict JSON and Hjson. What strict JSON would refuse is written down as leniency, so that
a rule can tell which loaders read the file. Where both disagree on the type of a number (Hjson makes `5e8` an integer)
the type is that of Python's `json`.
"""

from __future__ import annotations

from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from grpolint.documents.nodes import Document, Entry, Mapping, Node, Opaque, Scalar, Sequence
from grpolint.documents.source import Problem, Source, Span
from grpolint.regex import regex

__all__ = ["MAX_DEPTH", "MAX_NODES", "parse"]

MAX_DEPTH = 200
"""Deepest nesting that is read."""

MAX_NODES = 250_000
"""Most values that are read. A larger file is data (a tokenizer, a data set), not configuration."""

_SPACE = regex(r"[ \t\r\n]*")
_STOP = r"(?:[,}\]#\r\n]|/[/*]|\Z)"
_LITERAL = regex(r"(?:true|false|null|NaN|-?Infinity)(?=[^\S\r\n]*" + _STOP + ")")
_NUMBER = regex(r"-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?=[ \t]*" + _STOP + ")")
_REST = regex(r"[^\r\n]*")
_CHUNK = regex(r"[^\"'\\\x00-\x1f]*")
# The short ways for what nearly all of a strict file consists of.
_PLAIN_KEY = regex(r"[ \t\r\n]*(\"([^\"\\\x00-\x1f]*)\")[ \t\r\n]*:[ \t\r\n]*")
_PLAIN_STRING = regex(r"\"([^\"\\\x00-\x1f]*)\"")
_PLAIN_COMMA = regex(r"[ \t\r\n]*,[ \t\r\n]*(?=[\"\[{0-9tfn-])")
_KEY = regex(r"[^\s:{}\[\],]+")
_HEX = regex(r"[0-9a-fA-F]{4}")
_TEMPLATE = regex(r"\{\{[^\n]{0,300}?\}\}|\{%[^\n]{0,300}?%\}")
_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS: dict[str, Any] = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}


def parse(source: Source) -> Document:
    """Read a JSON or Hjson file; never raises. Duplicate keys are all kept.

    An error is one Problem with its place, and what was read before it stays in the tree. An empty file has no root.
    """
    scanner = _Scanner(source)
    root = scanner.read()
    return Document(source, "json", root, tuple(scanner.problems), tuple(scanner.leniency.values()))


class _StopError(Exception):
    """Reading ends here; the problem is recorded."""


class _Open:
    """A collection that is being read. `bare` is a root object without braces."""

    __slots__ = ("bare", "entries", "items", "key", "key_span", "start")

    def __init__(self, start: int, mapping: bool, bare: bool = False) -> None:
        self.start = start
        self.bare = bare
        self.items: list[Node] = []
        self.entries: list[Entry] | None = [] if mapping else None
        self.key: str | None = None
        self.key_span: Span | None = None


class _Scanner:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.at = 0
        self.nodes = 0
        self.problems: list[Problem] = []
        self.leniency: dict[str, Problem] = {}
        self.stack: list[_Open] = []

    def read(self) -> Node | None:
        """The root as far as it can be read, None if there is nothing."""
        root: Node | None = None
        try:
            if self.text.startswith("\ufeff"):
                self._lenient("a byte order mark", 0, 1)
                self.at = 1
            root = self._root()
            if self._next():
                self._fail("text after the end of the value", self.at, self.at + 1)
        except _StopError:
            while self.stack:
                # A key without a value is dropped, everything complete is kept.
                root = self._close(min(self.at, len(self.text)))
                if self.stack:
                    self._add(root)
        return root

    def _root(self) -> Node | None:
        first = self._next()
        if not first:
            return None
        if first in "{[":
            self._begin(first)
        elif self._is_key(first):
            self._lenient("no braces around the whole", self.at, self.at + 1)
            self.stack.append(_Open(self.at, True, bare=True))
        else:
            return self._value(first)
        while True:
            done = self._step()
            if done is not None:
                return done

    def _is_key(self, first: str) -> bool:
        """Whether a key with its colon stands here: then the root is an object without braces."""
        at, problems, leniency = self.at, list(self.problems), dict(self.leniency)
        try:
            self._key(_Open(at, True), first)
        except _StopError:
            return False
        finally:
            self.at, self.problems, self.leniency = at, problems, leniency
        return True

    def _step(self) -> Node | None:
        """Read one value of the innermost collection; the finished root if that closes everything."""
        holder = self.stack[-1]
        plain = _PLAIN_KEY.match(self.text, self.at) if holder.entries is not None else None
        if plain is not None:
            holder.key = plain.group(2)
            holder.key_span = Span(self.source, *plain.span(1))
            self.at = plain.end()
            first = self._next()
        elif holder.entries is not None:
            first = self._next()
            if first == "}" and not holder.bare and not holder.entries:
                return self._end() or self._after()
            self._key(holder, first)
            first = self._next()
        else:
            first = self._next()
            if first == "]" and not holder.items:
                return self._end() or self._after()
        if not first:
            self._fail(
                "the file ends inside " + ("an object" if holder.entries is not None else "a list"), self.at, self.at
            )
        if first in "{[" and not (first == "{" and _TEMPLATE.match(self.text, self.at)):
            self._begin(first)
            return None
        self._add(self._value(first))
        return self._after()

    def _after(self) -> Node | None:
        """After a value: a comma, the end of collections, or (Hjson) just the next value."""
        plain = _PLAIN_COMMA.match(self.text, self.at)
        if plain is not None:
            self.at = plain.end()
            return None
        while True:
            holder = self.stack[-1]
            before = self.at
            first = self._next()
            closer = "]" if holder.entries is None else "" if holder.bare else "}"
            comma = first == ","
            if comma:
                comma_at = self.at
                self.at += 1
                first = self._next()
                if first == closer:
                    self._lenient("a trailing comma", comma_at, comma_at + 1)
            elif first and first != closer:
                self._lenient("a missing comma", before, before)
            if not first and not holder.bare:
                self._fail(
                    "the file ends inside " + ("a list" if holder.entries is None else "an object"), self.at, self.at
                )
            if first != closer:
                return None
            done = self._end()
            if done is not None:
                return done

    def _begin(self, first: str) -> None:
        if len(self.stack) >= MAX_DEPTH:
            self._fail(f"nested deeper than {MAX_DEPTH} levels, read up to here", self.at, self.at + 1, syntax=False)
        self.stack.append(_Open(self.at, first == "{"))
        self.at += 1

    def _end(self) -> Node | None:
        """Close the innermost collection at its bracket; the finished root if it was the outermost."""
        if self.stack[-1].bare:
            return self._close(len(self.text.rstrip()))
        self.at += 1
        node = self._close(self.at)
        if not self.stack:
            return node
        self._add(node)
        return None

    def _close(self, end: int) -> Node:
        done = self.stack.pop()
        span = Span(self.source, done.start, end)
        if done.entries is None:
            return Sequence(span, tuple(done.items))
        return Mapping(span, tuple(done.entries))

    def _add(self, node: Node) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self._fail(f"more than {MAX_NODES} values, read up to here", self.at, self.at, syntax=False)
        holder = self.stack[-1]
        if holder.entries is None:
            holder.items.append(node)
        elif holder.key is not None and holder.key_span is not None:
            span = Span(self.source, holder.key_span.start, node.span.end)
            holder.entries.append(Entry(holder.key, holder.key_span, node, span))
            holder.key = None

    def _next(self) -> str:
        """Skip blanks and comments; the character that follows, empty at the end."""
        text = self.text
        while True:
            found = _SPACE.match(text, self.at)
            at = self.at = found.end() if found is not None else self.at
            first = text[at : at + 1]
            if first == "#" or (first == "/" and text[at + 1 : at + 2] == "/"):
                line = _REST.match(text, at)
                self.at = line.end() if line is not None else len(text)
            elif first == "/" and text[at + 1 : at + 2] == "*":
                end = text.find("*/", at + 2)
                if end < 0:
                    self._fail("a comment that is never closed", at, at + 2)
                self.at = end + 2
            else:
                return first
            self._lenient("a comment", at, self.at)

    def _key(self, holder: _Open, first: str) -> None:
        start = self.at
        if first and first in "\"'":
            key = self._string(first)
        else:
            found = _KEY.match(self.text, start)
            if found is None:
                what = repr(first) if first else "the end of the file"
                self._fail(f"a key was expected, found {what}", start, start + len(first))
                return
            key = found.group()
            self.at = found.end()
            self._lenient("a key without quotes", start, self.at)
        holder.key_span = Span(self.source, start, self.at)
        colon = self._next()
        if colon != ":":
            self._fail(f"a colon was expected after the key {_short(key)!r}", self.at, self.at + len(colon))
        self.at += 1
        holder.key = key

    def _value(self, first: str) -> Node:
        text, start = self.text, self.at
        plain = _PLAIN_STRING.match(text, start)
        if plain is not None:
            self.at = plain.end()
            return Scalar(Span(self.source, start, self.at), plain.group(), plain.group(1))
        if first in {'"', "'"}:
            if first == "'" and text.startswith("'''", start):
                value = self._lines()
            else:
                value = self._string(first)
            return Scalar(Span(self.source, start, self.at), text[start : self.at], value)
        found = _NUMBER.match(text, start)
        if found is not None:
            self.at = found.end()
            span = Span(self.source, start, self.at)
            try:
                number = float(found.group()) if found.group(1) else int(found.group())
            except ValueError:
                self._problem("an integer too long to be read", start, self.at)
                return Opaque(span, "expression:number")
            return Scalar(span, found.group(), number)
        found = _LITERAL.match(text, start)
        if found is not None:
            self.at = found.end()
            word = found.group()
            if word[-1] in "Ny":
                self._lenient(word, start, self.at)
            return Scalar(Span(self.source, start, self.at), word, _WORDS[word])
        found = _TEMPLATE.match(text, start)
        if found is not None:
            self.at = found.end()
            message = f"a template, not JSON yet: {_short(found.group())} is filled in by another program"
            self._problem(message, start, self.at)
            return Opaque(Span(self.source, start, self.at), f"expression:{_short(found.group())}")
        if first in "{}[],:":
            self._fail(f"a value was expected, found {first!r}", start, start + 1)
        line = _REST.match(text, start)
        raw = line.group().rstrip() if line is not None else ""
        self.at = start + len(raw)
        self._lenient("a text without quotes", start, self.at)
        return Scalar(Span(self.source, start, self.at), raw, raw)

    def _string(self, quote: str) -> str:
        """A quoted string; escapes and control characters that no loader takes are reported and kept as they are."""
        text, start = self.text, self.at
        if quote == "'":
            self._lenient("single quotes", start, start + 1)
        else:
            try:
                value: str
                value, self.at = scanstring(text, start + 1, True)
            except ValueError:
                pass  # not a strict string: read on slowly, and say why
            else:
                return value
        at = start + 1
        chunks: list[str] = []
        while True:
            found = _CHUNK.match(text, at)
            if found is not None and found.end() > at:
                chunks.append(found.group())
                at = found.end()
            mark = text[at : at + 1]
            if mark == quote:
                self.at = at + 1
                return "".join(chunks)
            if not mark:
                self.at = len(text)
                self._fail("a string that is never closed", start, start + 1)
            if mark == "\\":
                taken, value = self._escape(at)
                chunks.append(value)
                at += taken
                continue
            if mark not in "\"'":
                self._problem(f"a control character ({mark!r}) inside a string", at, at + 1)
            chunks.append(mark)
            at += 1

    def _escape(self, at: int) -> tuple[int, str]:
        """Length of the escape at a backslash, and the characters it stands for."""
        text = self.text
        letter = text[at + 1 : at + 2]
        if letter == "u" and _HEX.match(text, at + 2):
            code = int(text[at + 2 : at + 6], 16)
            if 0xD800 <= code < 0xDC00 and text.startswith("\\u", at + 6) and _HEX.match(text, at + 8):
                low = int(text[at + 8 : at + 12], 16)
                if 0xDC00 <= low < 0xE000:
                    return 12, chr(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00))
            return 6, chr(code)
        if letter in _ESCAPES and letter:
            if letter == "'":
                self._lenient("the escape \\'", at, at + 2)
            return 2, _ESCAPES[letter]
        self._problem(f"the escape \\{letter} is not known", at, at + 1 + len(letter))
        return 1, "\\"

    def _lines(self) -> str:
        """A text between three single quotes: lines lose the indentation of the opening quotes."""
        text, start = self.text, self.at
        self._lenient("a text in three quotes", start, start + 3)
        end = text.find("'''", start + 3)
        if end < 0:
            self.at = len(text)
            self._fail("a text in three quotes that is never closed", start, start + 3)
        indent = start - (text.rfind("\n", 0, start) + 1)
        self.at = end + 3
        head, *rest = text[start + 3 : end].replace("\r", "").split("\n")
        lines = [line[min(indent, len(line) - len(line.lstrip(" \t"))) :] for line in rest]
        head = head.lstrip(" \t")
        body = "\n".join([head, *lines] if head or not rest else lines)
        return body.removesuffix("\n")

    def _lenient(self, what: str, start: int, end: int) -> None:
        if what not in self.leniency:
            message = f"{what}: strict JSON does not allow it"
            self.leniency[what] = Problem(message, self.source.span(start, end), self.source.path)

    def _problem(self, message: str, start: int, end: int) -> None:
        if len(self.problems) < 100:
            self.problems.append(Problem(message, self.source.span(start, end), self.source.path))

    def _fail(self, message: str, start: int, end: int, *, syntax: bool = True) -> None:
        self._problem(("not valid JSON: " if syntax else "") + message, start, end)
        raise _StopError


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."
