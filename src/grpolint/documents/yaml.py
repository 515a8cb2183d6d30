"""YAML to positioned documents, as PyYAML and the loaders built on it read it.

The tree is built from the parser's events, not from its composer: what stands before an error is kept, depth and size
are bounded, and nothing recurses. Types of plain scalars are left to `scalars.resolve`, because loaders differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from grpolint.documents.nodes import Document, Entry, Mapping, Node, Opaque, Scalar, Sequence
from grpolint.documents.source import Problem, Source, Span
from grpolint.regex import regex

__all__ = ["MAX_DEPTH", "MAX_NODES", "parse"]

MAX_DEPTH = 200
"""Deepest nesting that is read. Real configurations stay below 20."""

MAX_NODES = 250_000
"""Most values that a document may have after aliases are expanded."""

_PROPERTIES = regex(r"(?:[&!][^\s,\[\]{}]*(?:\s+(?:#[^\n]*)?)+)+")
_UNPRINTABLE = regex("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Bounded, because a line of a million opening braces would else be searched to its end a million times.
_PLACEHOLDER = regex(r"\{\{[^\n]{0,300}?\}\}|\{%[^\n]{0,300}?%\}|\{#[^\n]{0,300}?#\}")
_CONTROL_LINE = regex(r"^[ \t]*\{(?:[%#][^\n]*?[%#]|\{[^\n]*?\})\}[ \t]*$", re.MULTILINE)
_MASK = "\ue000"
_STANDARD = "tag:yaml.org,2002:"
_CONSTRUCTED = {"float": "0.0", "int": "0", "bool": "true", "null": ""}


def parse(source: Source) -> Document:
    """Read a YAML file. Returns its first document as root and the others in `further`; never raises.

    Aliases share the nodes of their anchor, merge keys are expanded (the mapping's own keys win), tags are ignored
    except the standard ones on scalars; a scalar with any other tag is Opaque. Where the text is not YAML there is one
    Problem with the place, and what stands before it is read. A template (`{{ x }}`) is read with every value that
    contains a placeholder Opaque, and one Problem.
    """
    reader = _Reader(source, source.text)
    reader.read()
    if reader.broken is not None or reader.templated:
        reader = _read_template(reader) or _read_before(reader)
    roots = reader.roots
    return Document(source, "yaml", roots[0] if roots else None, tuple(reader.problems), (), tuple(roots[1:]))


def _read_template(failed: _Reader) -> _Reader | None:
    """The file read as a template whose placeholders stand for values; None if it is none or still is not YAML."""
    source = failed.source
    first = _PLACEHOLDER.search(source.text)
    if first is None:
        return None
    masked = _Reader(source, _mask(source.text))
    masked.read()
    if masked.broken is not None:
        return None
    message = f"a template, not YAML yet: {_short(first.group())} is filled in by another program before this is read"
    masked.problems.insert(0, Problem(message, source.span(*first.span()), source.path))
    return masked


def _read_before(failed: _Reader) -> _Reader:
    """The text before the line of the error, where that gives more than stopping at the error: libyaml reads ahead."""
    if failed.broken:
        before = _Reader(failed.source, failed.text[: failed.text.rfind("\n", 0, failed.broken) + 1])
        before.read()
        if before.total >= failed.total:
            failed.roots = before.roots
    return failed


def _mask(text: str) -> str:
    """The text with each placeholder replaced by as many mask characters, and each control line by a comment."""
    text = _CONTROL_LINE.sub(lambda found: "#" * len(found.group()), text)
    return _PLACEHOLDER.sub(lambda found: _MASK * len(found.group()), text)


def _short(text: str) -> str:
    """A stretch of the text as a message shows it."""
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


class _Open:
    """A collection that is being read."""

    __slots__ = ("anchor", "end", "entries", "flow", "items", "key", "key_span", "merged", "size", "start")

    def __init__(self, start: int, end: int, anchor: str | None, mapping: bool, flow: bool) -> None:
        self.start = start
        self.end = end
        self.anchor = anchor
        self.flow = flow
        self.items: list[Node] = []
        self.entries: list[Entry] | None = [] if mapping else None
        self.key: str | None = None
        self.key_span: Span | None = None
        self.merged: list[Node] = []
        self.size = 1


class _Reader:
    """Builds nodes from parser events with an explicit stack."""

    def __init__(self, source: Source, text: str) -> None:
        self.source = source
        self.text = text
        self.roots: list[Node] = []
        self.problems: list[Problem] = []
        self.broken: int | None = None  # offset of the error that ended the reading
        self.templated = False
        self.stack: list[_Open] = []
        self.anchors: dict[str, tuple[Node, int] | None] = {}
        self.total = 0
        # The C parser does not count a byte order mark, the Python one does.
        self.shift = 1 if text.startswith("\ufeff") else 0

    def read(self) -> None:
        """Read the whole stream, or up to the first error."""
        text = self.text[self.shift :]
        unfit = _UNPRINTABLE.search(text)
        if unfit is not None:
            code = ord(unfit.group())
            what = f"the byte 0x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"the character U+{code:04X}"
            why = "is not UTF-8" if 0xDC80 <= code <= 0xDCFF else "is not allowed in YAML"
            self._problem(f"{what} {why}", unfit.start() + self.shift, unfit.end() + self.shift)
            text = _UNPRINTABLE.sub("\ufffd", text)
        try:
            self._drive(_loader(text).get_event)
        except yaml.MarkedYAMLError as error:
            self._error(error)
        except yaml.YAMLError as error:
            self.broken = 0
            self._problem(f"not valid YAML: {_short(str(error))}", 0, 0)
        while self.stack:
            self._close(None)

    def _drive(self, get_event: Callable[[], Any]) -> None:
        shift, source, stack = self.shift, self.source, self.stack
        unmasked = _MASK not in self.text
        while (event := get_event()) is not None:
            kind = type(event)
            if kind is ScalarEvent:
                # Nine of ten events are bare plain scalars; this is the short way for them.
                if not event.style and event.anchor is None and event.tag is None and unmasked and stack:
                    holder = stack[-1]
                    start = event.start_mark.index + shift
                    end = event.end_mark.index + shift
                    span = Span(source, start, end)
                    if holder.entries is not None and holder.key is None:
                        holder.key, holder.key_span = event.value, span
                        holder.end = end
                        continue
                    self._add(Scalar(span, event.value, None, True), 1, span, "")
                else:
                    self._scalar(event)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._close(event.end_mark.index + shift)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                if not self._open(event, kind is MappingStartEvent):
                    return
            elif kind is AliasEvent:
                self._alias(event)
            elif kind is DocumentStartEvent:
                self.anchors.clear()
            if self.total > MAX_NODES:
                at = event.start_mark.index + shift
                self._problem(f"more than {MAX_NODES} values, read up to here", at, at)
                return

    def _open(self, event: Any, mapping: bool) -> bool:
        """Begin a collection; false if it is too deep."""
        start = self._start(event)
        if len(self.stack) >= MAX_DEPTH:
            self._problem(f"nested deeper than {MAX_DEPTH} levels, read up to here", start, start + 1)
            return False
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        end = event.end_mark.index + self.shift
        self.stack.append(_Open(start, end, event.anchor, mapping, bool(event.flow_style)))
        return True

    def _start(self, event: Any) -> int:
        """Where a node's text starts, after its anchor and tag."""
        start: int = event.start_mark.index + self.shift
        if event.anchor is not None or event.tag is not None:
            scalar = type(event) is ScalarEvent
            end = event.end_mark.index + self.shift if scalar else len(self.text)
            if scalar and not event.value and not event.style:
                return end
            found = _PROPERTIES.match(self.text, start, end)
            if found is not None:
                start = found.end()
        return start

    def _scalar(self, event: Any) -> None:
        start = self._start(event)
        end = event.end_mark.index + self.shift
        value: str = event.value
        style = event.style
        node: Node
        if style in {"|", ">"}:
            end = start + len(self.text[start:end].rstrip())
        span = Span(self.source, start, end)
        if _MASK in value and _MASK not in self.source.text:
            node = Opaque(span, f"expression:{_short(span.text)}")
        elif event.tag is not None and not event.implicit[0]:
            node = self._tagged(event.tag, value, span, not style)
        elif style:
            node = Scalar(span, self.source.text[start:end], value)
        else:
            node = Scalar(span, value, None, True)
        if event.anchor is not None:
            self.anchors[event.anchor] = (node, 1)
        self._add(node, 1, span, value if _MASK not in value else span.text)

    def _tagged(self, tag: str, value: str, span: Span, plain: bool) -> Node:
        if tag == _STANDARD + "str":
            return Scalar(span, span.text, value)
        name = tag.removeprefix(_STANDARD)
        if name in _CONSTRUCTED and tag.startswith(_STANDARD):
            loader = yaml.SafeLoader("")
            try:
                made = loader.construct_object(yaml.ScalarNode(tag, value))
            except (ValueError, KeyError, yaml.YAMLError, IndexError):
                self._problem(f"{_short(value)!r} cannot be read as {name}", span.start, span.end)
                return Opaque(span, f"expression:{_short(span.text)}")
            return Scalar(span, span.text, made)
        return Opaque(span, f"expression:{tag} {_short(value)}")

    def _alias(self, event: Any) -> None:
        start, end = event.start_mark.index + self.shift, event.end_mark.index + self.shift
        span = Span(self.source, start, end)
        name = event.anchor
        known = self.anchors.get(name)
        node: Node = Opaque(span, f"expression:*{name}")
        size = 1
        if known is not None and self.total + known[1] <= MAX_NODES:
            node, size = known
        elif known is not None:
            self._problem(f"the alias *{name} makes more than {MAX_NODES} values, left out", start, end)
        elif name in self.anchors:
            self._problem(f"the alias *{name} stands inside its own anchor", start, end)
        else:
            self._problem(f"the alias *{name} has no anchor &{name} before it", start, end)
        self._add(node, size, span, node.raw if isinstance(node, Scalar) and node.plain else span.text)

    def _add(self, node: Node, size: int, span: Span, key: str) -> None:
        """Put a finished node, written at `span`, into the collection that is open; `key` is its text as a key."""
        self.total += size
        if not self.stack:
            self.roots.append(node)
            return
        holder = self.stack[-1]
        holder.size += size
        holder.end = span.end
        if holder.entries is None:
            holder.items.append(node)
        elif holder.key is None:
            holder.key, holder.key_span = key, span
            if holder.flow and isinstance(node, Mapping) and self.text[span.start - 1 : span.start] == "{":
                self.templated = True
        else:
            key_span = holder.key_span
            assert key_span is not None
            if holder.key == "<<" and key_span.text == "<<":
                holder.merged.append(node)
            else:
                entry = Entry(
                    holder.key, key_span, node, Span(self.source, key_span.start, max(span.end, key_span.end))
                )
                holder.entries.append(entry)
            holder.key = None

    def _close(self, end: int | None) -> None:
        """Finish the innermost collection. `end` is None after an error: then it ends with what was read."""
        done = self.stack.pop()
        # A block collection is closed by what follows it, comments and blank lines between; its text ends before.
        if end is None or not done.flow:
            end = done.end
        span = Span(self.source, done.start, end)
        node: Node
        if done.entries is None:
            node = Sequence(span, tuple(done.items))
        else:
            entries = done.entries
            if done.merged:
                entries = self._merge(done) + entries
            node = Mapping(span, tuple(entries))
        if done.anchor is not None:
            self.anchors[done.anchor] = (node, done.size)
        self.total -= done.size - 1
        self._add(node, done.size, span, self.source.text[span.start : span.end])

    def _merge(self, done: _Open) -> list[Entry]:
        """Entries that merge keys bring, without those the mapping has itself. The first of several mappings wins."""
        assert done.entries is not None
        taken = {entry.key for entry in done.entries}
        merged: list[Entry] = []
        for node in done.merged:
            for part in node.items if isinstance(node, Sequence) else (node,):
                if isinstance(part, Mapping):
                    merged.extend(entry for entry in part.entries if entry.key not in taken)
                    taken.update(entry.key for entry in part.entries)
                elif not isinstance(part, Opaque):
                    self._problem("a merge key needs a mapping, or a list of mappings", part.span.start, part.span.end)
        return merged

    def _error(self, error: yaml.MarkedYAMLError) -> None:
        mark: Any = error.problem_mark or error.context_mark
        at = min(mark.index + self.shift, len(self.text)) if mark is not None else 0
        self.broken = at
        if self.text[at : at + 1] == "\t" and not self.text[self.text.rfind("\n", 0, at) + 1 : at].strip():
            what = "a tab is used for indentation, only spaces are allowed"
        else:
            what = _short(error.problem or "syntax error").replace("<stream end>", "the end of the file")
        context = f" ({_short(error.context)})" if error.context else ""
        self._problem(f"not valid YAML: {what}{context}", at, min(at + 1, len(self.text)))

    def _problem(self, message: str, start: int, end: int) -> None:
        if len(self.problems) < 100:
            self.problems.append(Problem(message, self.source.span(start, end), self.source.path))


def _loader(text: str) -> Any:
    """The parser: libyaml where PyYAML was built with it, else the one in Python."""
    return yaml.CSafeLoader(text) if yaml.__with_libyaml__ else yaml.SafeLoader(text)
