"""What folding a Python file works with: recorded calls, objects with attributes, scopes, places."""

from __future__ import annotations

import bisect
import re
from typing import Any

from grpolint.documents.nodes import Mapping, Node, Opaque, Scalar, Sequence
from grpolint.documents.source import Source, Span
from grpolint.documents.text import Text
from grpolint.records import Record, field

__all__ = [
    "BudgetError",
    "Call",
    "Instance",
    "Made",
    "Option",
    "Parser",
    "Places",
    "Scope",
    "Several",
    "TooLargeError",
    "Value",
]


class BudgetError(Exception):
    """The file is too much work to fold."""


class TooLargeError(Exception):
    """A value is too large to be kept."""


class Call(Record, frozen=False, eq=False):
    """One call found in a Python file.

    `name` is the callee with imports resolved (`trl.GRPOConfig`), `written` as it stands there. `arguments` are the
    keywords in order (with those of a foldable `**dict`), then later assignments to attributes of the result; of equal
    keys the last counts, and an entry's span is the `keyword=value` or the assignment. `texts` has the keywords (or
    positions as text) that are strings put together from several places. `made_by` has the arguments that are results
    of other calls. `open_ended` says that arguments are passed which cannot be read (`**kwargs`). `condition` is
    `branch:LINE` if the call stands in a branch that cannot be decided, `target` the variable that holds the result,
    `function` the function it stands in.
    """

    name: str
    written: str
    span: Span
    positional: tuple[Node, ...] = ()
    arguments: Mapping = field(default_factory=lambda: Mapping(Span(Source("", ""), 0, 0)))
    texts: dict[str, Text] = field(default_factory=dict)
    made_by: dict[str, Call] = field(default_factory=dict)
    open_ended: bool = False
    condition: str | None = None
    target: str | None = None
    function: str = ""

    @property
    def last(self) -> str:
        """The last component of the name: `GRPOConfig`."""
        return self.name.rpartition(".")[2]


class Option(Record):
    """A command line option that the file declares (argparse, or a field of a dataclass that a parser fills)."""

    name: str
    dest: str
    default: Node | None
    span: Span


class Made(Record):
    """The result of a call that is recorded."""

    call: Call
    span: Span


class Instance(Record, frozen=False, eq=False):
    """An object with attributes: an instance of a class of the file, or parsed arguments. `closed`: it has no others."""

    name: str
    fields: dict[str, Value]


class Parser(Record, frozen=False, eq=False):
    """An argument parser: the options declared so far, and the classes it fills."""

    options: dict[str, Option] = field(default_factory=dict)
    classes: list[Instance | None] = field(default_factory=list)


class Several(Record):
    """Values to be unpacked."""

    values: tuple[Value, ...]


Value = Mapping | Sequence | Scalar | Opaque | Text | Made | Instance | Parser | Several


class Scope:
    """Names and their values. A branch is a scope over the one it started from; `root` is the function or module."""

    __slots__ = ("counts", "is_branch", "names", "parent", "root")

    def __init__(self, parent: Scope | None = None, *, branch: bool = False) -> None:
        self.names: dict[str, Value | None] = {}
        self.parent = parent
        self.is_branch = branch
        self.root: Scope = parent.root if branch and parent is not None else self
        self.counts: dict[str, int] = {}

    def get(self, name: str) -> Value | None:
        """The value of a name here, None if it has none that can be relied on.

        A function sees a name of the scope around it only if that is bound once: when it is called is not known.
        """
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                settled = scope.root is self.root or scope.root.counts.get(name, 0) == 1
                return scope.names[name] if settled else None
            scope = scope.parent
        return None

    def bind(self, name: str, value: Value | None) -> None:
        """Give a name a value."""
        self.names[name] = value
        self.root.counts[name] = self.root.counts.get(name, 0) + 1


class Places:
    """Turns the line and byte column of `ast` nodes into character offsets of the source."""

    def __init__(self, source: Source, text: str, shift: int) -> None:
        self.source = source
        self.shift = shift
        self.lines = _split(text)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.wide: dict[int, list[tuple[int, int]]] = {}

    def offset(self, line: int, column: int) -> int:
        """Character offset of a place."""
        line = min(max(line, 1), len(self.lines)) - 1
        text = self.lines[line]
        if not text.isascii():
            column = self._characters(line, text, column)
        return self.shift + self.starts[line] + min(column, len(text))

    def _characters(self, line: int, text: str, column: int) -> int:
        table = self.wide.get(line)
        if table is None:
            table, extra = [], 0
            for index, char in enumerate(text):
                if char > "\x7f":
                    extra += len(char.encode()) - 1
                    table.append((index + 1 + extra, extra))
            self.wide[line] = table
        at = bisect.bisect_right(table, (column, 1 << 62))
        return column - (table[at - 1][1] if at else 0)

    def span(self, node: Any) -> Span:
        """The span of an `ast` node."""
        start = self.offset(node.lineno, node.col_offset)
        return Span(self.source, start, max(start, self.offset(node.end_lineno, node.end_col_offset)))


def _split(text: str) -> list[str]:
    """Lines as the Python parser counts them, with their ends."""
    if "\r" not in text:
        return [line + "\n" for line in text.split("\n")]
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n|\Z)", text)
