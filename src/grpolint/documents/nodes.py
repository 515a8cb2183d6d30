"""The positioned tree that YAML, JSON and Python literals become: mappings, sequences, scalars, and what is opaque."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grpolint.documents.source import Problem, Source, Span
from grpolint.records import Record

__all__ = ["Document", "Entry", "Mapping", "Node", "Opaque", "Scalar", "Sequence", "walk"]


class Scalar(Record):
    """A leaf. `plain` YAML scalars carry their text in `raw` and get a type only by `scalars.resolve(node, dialect)`;
    everything else (quoted strings, JSON and Python literals) has its Python value in `value` already.
    """

    span: Span
    raw: str
    value: Any = None
    plain: bool = False


class Opaque(Record):
    """Something present whose value cannot be known: a Python expression, a cut-off alias. `reason` as in Unknown.

    `default` is the value that holds where nobody interferes: an environment variable that is not set, an option that
    is not given. None if there is no such value.
    """

    span: Span
    reason: str
    default: Node | None = None


class Entry(Record):
    """One key of a mapping with its value; `span` covers key and value."""

    key: str
    key_span: Span
    value: Node
    span: Span


class Mapping(Record):
    """A mapping in written order. Duplicate keys are all kept; readers take the last, as the loaders do."""

    span: Span
    entries: tuple[Entry, ...] = ()

    def get(self, key: str) -> Node | None:
        """Value of the last entry with that key, None if there is none."""
        entry = self.entry(key)
        return entry.value if entry is not None else None

    def entry(self, key: str) -> Entry | None:
        """The last entry with that key, None if there is none."""
        return next((entry for entry in reversed(self.entries) if entry.key == key), None)

    def keys(self) -> tuple[str, ...]:
        """The keys, each once, in order of first appearance."""
        return tuple(dict.fromkeys(entry.key for entry in self.entries))


class Sequence(Record):
    """A list, in order."""

    span: Span
    items: tuple[Node, ...] = ()


Node = Mapping | Sequence | Scalar | Opaque


class Document(Record):
    """One parsed file: its language (`yaml`, `json`), the tree (None if nothing was readable), and what went wrong.

    `problems` are places that could not be read. `leniency` holds the first place of each thing that makes a JSON
    file need a lenient loader (comments, trailing commas); it is empty for strict JSON. `further` are the roots of
    the later documents of a YAML stream.
    """

    source: Source
    language: str
    root: Node | None
    problems: tuple[Problem, ...] = ()
    leniency: tuple[Problem, ...] = ()
    further: tuple[Node, ...] = ()


def walk(node: Node, prefix: str = "") -> Iterator[tuple[str, Node, Entry | None]]:
    """Leaves of a tree with their dotted path and the entry that holds them.

    A sequence is a leaf, and so is an empty mapping; the root itself has the path `prefix` and no entry.
    """
    stack: list[tuple[str, Node, Entry | None]] = [(prefix, node, None)]
    while stack:
        path, at, holder = stack.pop()
        if isinstance(at, Mapping) and at.entries:
            stack.extend(
                (f"{path}.{entry.key}" if path else entry.key, entry.value, entry) for entry in reversed(at.entries)
            )
        else:
            yield path, at, holder
