"""What a script has done so far: variables, functions, positional parameters, files written; and the merge of branches."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from grpolint.documents.source import Source
from grpolint.launch import Word
from grpolint.shell.pieces import EMPTY, Element, Piece, Text, known
from grpolint.shell.syntax import Function

__all__ = ["Positional", "State", "Variable", "WrittenFile", "merge", "merge_texts", "new_group"]

_MAX_ALTERNATIVES = 12
_groups = itertools.count(1)


def new_group() -> int:
    """A number for alternatives that are chosen together."""
    return next(_groups)


class Variable:
    """One variable. Never changed once made: branches share them.

    `value` is the scalar value, `items` the elements of an array by subscript; both None if declared but unset.
    `attributes` are letters of `declare`: `i`, `l`, `u`, `n`, `A`. `open` says that the caller may add elements.
    """

    __slots__ = ("attributes", "exported", "items", "open", "value", "word")

    def __init__(
        self,
        value: Text | None = None,
        items: dict[int | str, Element] | None = None,
        exported: bool = False,
        attributes: str = "",
        open_ended: bool = False,
    ) -> None:
        self.value = value
        self.items = items
        self.exported = exported
        self.attributes = attributes
        self.open = open_ended
        self.word: Word | None = None

    @property
    def uncounted(self) -> Text | None:
        """The first element that may be any number of words (`NODES=($(scontrol show hostnames))`), None without one.

        Which elements follow it, and how many there are, nobody knows.
        """
        return next((each.text for each in self.items.values() if each.loose), None) if self.items else None

    def element(self, key: int | str) -> Element | None:
        """The element under a subscript; what stands behind an uncounted one is as unknown as that."""
        items = self.items or {}
        if isinstance(key, int):
            for place, each in items.items():
                if each.loose and isinstance(place, int) and place < key:
                    return each
        return items.get(key)

    def same(self, other: Variable) -> bool:
        """Whether both hold the same value."""
        if self is other:
            return True
        if self.exported != other.exported or self.attributes != other.attributes or self.open != other.open:
            return False
        if self.items is not None or other.items is not None:
            if self.items is None or other.items is None or list(self.items) != list(other.items):
                return False
            return all(_same_element(self.items[key], other.items[key]) for key in self.items)
        if self.value is None or other.value is None:
            return self.value is other.value
        return _same_text(self.value, other.value)


class Positional:
    """`$1...`: the known ones; if `open`, the caller of the script may have given more.

    `base` counts what was shifted away, so that an unknown one is called by its number on the command line.
    `least` is how many arguments a usage check demands.
    """

    __slots__ = ("base", "items", "least", "open")

    def __init__(self, items: Sequence[Element], open_ended: bool, base: int = 0, least: int = 0) -> None:
        self.items = tuple(items)
        self.open = open_ended
        self.base = base
        self.least = least


class WrittenFile:
    """A file that the script wrote: its path as written, and its content."""

    __slots__ = ("path", "text")

    def __init__(self, path: Element, text: Text) -> None:
        self.path = path
        self.text = text


class State:
    """Everything that a statement can change. `copy` is cheap: what it holds is never changed in place."""

    __slots__ = (
        "cwd",
        "directories",
        "export_all",
        "files",
        "frames",
        "functions",
        "limits",
        "positional",
        "required",
        "settable",
        "variables",
    )

    def __init__(self) -> None:
        self.variables: dict[str, Variable] = {}
        self.functions: dict[str, tuple[Function, Source]] = {}
        self.positional = Positional((), True)
        self.cwd: Text | None = None
        self.directories: tuple[Text | None, ...] = ()
        self.frames: list[dict[str, Variable | None]] = []
        self.files: dict[str, WrittenFile] = {}
        self.required: frozenset[str] = frozenset()
        self.settable: frozenset[str] = frozenset()
        self.export_all = False
        self.limits: dict[str, Element] = {}

    def copy(self) -> State:
        """An independent state that is equal to this one."""
        other = State.__new__(State)
        other.variables = self.variables.copy()
        other.functions = self.functions.copy()
        other.positional = self.positional
        other.cwd = self.cwd
        other.directories = self.directories
        other.frames = [frame.copy() for frame in self.frames]
        other.files = self.files.copy()
        other.required = self.required
        other.settable = self.settable
        other.export_all = self.export_all
        other.limits = self.limits
        return other

    def child(self) -> State:
        """What a program started from here inherits: the exported variables and the limits."""
        other = State()
        other.variables = {name: each for name, each in self.variables.items() if each.exported}
        other.cwd = self.cwd
        other.files = self.files.copy()
        other.required = self.required
        other.limits = self.limits
        return other


def _same_text(left: Text, right: Text) -> bool:
    if left is right:
        return True
    if len(left) == len(right) and all(a is b or a.same(b) for a, b in zip(left, right)):
        return True
    whole = known(left)
    return whole is not None and whole == known(right)


def _same_element(left: Element, right: Element) -> bool:
    return left is right or (left.condition == right.condition and _same_text(left.text, right.text))


def merge(states: Sequence[State], reason: str, conditions: Sequence[str | None]) -> State:
    """One state for several arms of a branch nobody can decide.

    What is equal in all stays; a value that differs becomes an unknown with `reason` and the values as alternatives;
    array elements that only some arms have carry those arms' condition.
    """
    if len(states) == 1:
        return states[0]
    first = states[0]
    merged = first.copy()
    group = new_group()
    names = dict.fromkeys(name for state in states for name in state.variables)
    for name in names:
        values = [state.variables.get(name) for state in states]
        start = values[0]
        if start is not None and all(value is not None and start.same(value) for value in values[1:]):
            continue
        merged.variables[name] = _merge_variables(values, reason, group, conditions)
    for state in states[1:]:
        merged.functions.update(state.functions)
        merged.files.update(state.files)
        merged.required |= state.required
        merged.settable |= state.settable
    for depth, frame in enumerate(merged.frames):
        for state in states[1:]:
            if depth < len(state.frames):
                for name, variable in state.frames[depth].items():
                    frame.setdefault(name, variable)
    cwds = [state.cwd for state in states]
    if any(not _same_optional(cwds[0], cwd) for cwd in cwds[1:]):
        merged.cwd = _merge_texts([cwd if cwd is not None else (_PWD,) for cwd in cwds], reason, group)
    if any(state.limits is not first.limits for state in states[1:]):
        merged.limits = _merge_limits([state.limits for state in states], reason, group)
    if any(state.positional is not first.positional for state in states[1:]):
        positions = [state.positional for state in states]
        base = min(position.base for position in positions)
        merged.positional = Positional((), True, base, min(position.least for position in positions))
        if all(not position.open for position in positions):
            sizes = {len(position.items) for position in positions}
            if len(sizes) == 1:
                rows = zip(*(position.items for position in positions))
                merged.positional = Positional(
                    [Element(_merge_texts([each.text for each in row], reason, group), row[0].span) for row in rows],
                    False,
                )
    return merged


_PWD = Piece("", "env:PWD", symbolic=True)


def _same_optional(left: Text | None, right: Text | None) -> bool:
    if left is None or right is None:
        return left is right
    return _same_text(left, right)


def _merge_limits(rows: Sequence[dict[str, Element]], reason: str, group: int) -> dict[str, Element]:
    """A limit that only some arms set, or set differently, is unknown."""
    merged: dict[str, Element] = {}
    for name, element in {name: each for row in rows for name, each in row.items()}.items():
        arms = [row[name].text if name in row else _INHERITED for row in rows]
        merged[name] = Element(_merge_texts(arms, reason, group), element.span)
    return merged


_INHERITED = (Piece("", "command:ulimit"),)
"""The limit that the script was started with."""


def _merge_variables(
    values: Sequence[Variable | None], reason: str, group: int, conditions: Sequence[str | None]
) -> Variable:
    present = [value for value in values if value is not None]
    exported = any(value.exported for value in present)
    attributes = present[0].attributes
    open_ended = any(value.open for value in present)
    if any(value.items is not None for value in present):
        rows = [_elements_of(value) for value in values]
        if "A" in attributes:
            table: dict[int | str, Element] = {}
            for value in present:
                table.update(value.items or {})
            for key, element in list(table.items()):
                texts = [
                    value.items[key].text if value is not None and value.items and key in value.items else EMPTY
                    for value in values
                ]
                table[key] = Element(_merge_texts(texts, reason, group), element.span)
            return Variable(None, table, exported, attributes, open_ended)
        elements = _merge_elements(rows, reason, group, conditions)
        return Variable(None, dict(enumerate(elements)), exported, attributes, open_ended)
    texts = [value.value if value is not None and value.value is not None else EMPTY for value in values]
    merged = _merge_texts(texts, reason, group)
    if any(value is None or value.value is None for value in values) and all(
        value is None or value.value is None for value in values
    ):
        return Variable(None, None, exported, attributes)
    return Variable(merged, None, exported, attributes, open_ended)


def _elements_of(variable: Variable | None) -> list[Element]:
    if variable is None:
        return []
    if variable.items is not None:
        return list(variable.items.values())
    return [Element(variable.value, None)] if variable.value else []


def _merge_elements(
    rows: list[list[Element]], reason: str, group: int, conditions: Sequence[str | None]
) -> list[Element]:
    if len({len(row) for row in rows}) == 1:
        return [
            column[0]
            if all(_same_element(column[0], other) for other in column[1:])
            else Element(_merge_texts([each.text for each in column], reason, group), column[0].span)
            for column in zip(*rows)
        ]
    shortest = min(len(row) for row in rows)
    head = 0
    while head < shortest and all(_same_element(rows[0][head], row[head]) for row in rows[1:]):
        head += 1
    tail = 0
    while tail < shortest - head and all(
        _same_element(rows[0][len(rows[0]) - 1 - tail], row[len(row) - 1 - tail]) for row in rows[1:]
    ):
        tail += 1
    merged = rows[0][:head]
    for row, condition in zip(rows, conditions):
        for element in row[head : len(row) - tail]:
            merged.append(Element(element.text, element.span, element.condition or condition or reason))
    merged.extend(rows[0][len(rows[0]) - tail :] if tail else [])
    return merged


def merge_texts(texts: Sequence[Text], reason: str) -> Text:
    """What the arms of a branch wrote, as one text."""
    return _merge_texts(texts, reason, new_group())


def _merge_texts(texts: Sequence[Text], reason: str, group: int) -> Text:
    """One text for the arms: the common beginning and end stay, what differs between them is unknown."""
    first = texts[0]
    if all(_same_text(first, text) for text in texts[1:]):
        return first
    head = 0
    shortest = min(len(text) for text in texts)
    while head < shortest and all(first[head].same(text[head]) for text in texts[1:]):
        head += 1
    tail = 0
    while tail < shortest - head and all(
        first[len(first) - 1 - tail].same(text[len(text) - 1 - tail]) for text in texts[1:]
    ):
        tail += 1
    middles = [text[head : len(text) - tail] for text in texts]
    origins = tuple(dict.fromkeys(origin for middle in middles for piece in middle for origin in piece.origins))[:8]
    alternatives: list[str] = []
    correlated = True
    for middle in middles:
        whole = known(middle)
        if whole is not None:
            alternatives.append(whole)
        elif len(middle) == 1 and middle[0].alternatives:
            alternatives.extend(middle[0].alternatives)
            correlated = False
        else:
            alternatives = []
            break
    if not correlated:
        alternatives = list(dict.fromkeys(alternatives))
    if len(alternatives) > _MAX_ALTERNATIVES:
        alternatives = []
    piece = Piece(
        "",
        reason,
        origins,
        None,
        tuple(alternatives),
        symbolic=False,
        group=(group if correlated else new_group()) if alternatives else 0,
    )
    return (*first[:head], piece, *(first[len(first) - tail :] if tail else ()))
