"""Constant folding of Python expressions: what an expression is, as far as the file itself decides it. Nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from grpolint.documents.nodes import Entry, Mapping, Node, Opaque, Scalar, Sequence
from grpolint.documents.operators import COMPARISONS, FAILURES, FUNCTIONS, MAX_LENGTH, METHODS, UNARY, first, operate
from grpolint.documents.scopes import (
    BudgetError,
    Call,
    Instance,
    Made,
    Option,
    Parser,
    Places,
    Scope,
    Several,
    TooLargeError,
    Value,
)
from grpolint.documents.source import Span
from grpolint.documents.text import Piece, Text, join, literal, literal_parts

__all__ = ["Folder"]

MAX_STEPS = 1_000_000
MAX_DEPTH = 120
MAX_NODES = 100_000


class Folder:
    """Folds expressions of one file. `calls` holds the recorded result of call nodes, keyed by identity."""

    def __init__(self) -> None:
        self.steps = 0
        self.places: Places
        self.imports: dict[str, str] = {}
        self.environment: dict[str, Node] = {}
        self.classes: dict[str, Instance] = {}
        self.calls: dict[int, Call] = {}
        self.options: list[Option] = []
        self.sizes: dict[int, tuple[int, Node]] = {}  # the node keeps its identity in use

    def spend(self, steps: int = 1) -> None:
        """Count work; raises BudgetError when it is too much."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise BudgetError

    def opaque(self, expr: ast.expr) -> Opaque:
        """The expression as something unknown."""
        span = self.places.span(expr)
        shown = " ".join(span.text[:200].split())
        return Opaque(span, f"expression:{shown if len(shown) <= 60 else shown[:57] + '...'}")

    def resolve(self, expr: ast.expr) -> str | None:
        """The dotted name of a callee or attribute with imports resolved, None if it is no name."""
        names: list[str] = []
        while isinstance(expr, ast.Attribute):
            names.append(expr.attr)
            expr = expr.value
        if isinstance(expr, ast.Call) and names:
            return names[0]
        if not isinstance(expr, ast.Name):
            return names[0] if names else None
        return ".".join([self.imports.get(expr.id, expr.id), *reversed(names)])

    def node(self, value: Value | None, expr: ast.expr) -> Node:
        """A value as a node of the tree."""
        if isinstance(value, Text):
            known = value.known
            if known is not None:
                return Scalar(value.span, value.span.text, known)
            default = value.default
            spare = Scalar(value.span, value.span.text, default) if default is not None else None
            return Opaque(value.span, value.reason or "expression:", spare)
        if isinstance(value, (Mapping, Sequence, Scalar, Opaque)):
            return value
        return self.opaque(expr)

    def fold(self, expr: ast.expr, scope: Scope, depth: int = 0) -> Value:
        """What the expression is. Never raises but for the budget."""
        self.spend()
        method = _FOLDERS.get(type(expr))
        if method is None or depth > MAX_DEPTH:
            return self.opaque(expr)
        try:
            return method(self, expr, scope, depth + 1)
        except TooLargeError:
            return self.opaque(expr)

    def _constant(self, expr: ast.Constant, scope: Scope, depth: int) -> Value:
        span = self.places.span(expr)
        return Scalar(span, span.text, expr.value)

    def _name(self, expr: ast.Name, scope: Scope, depth: int) -> Value:
        value = scope.get(expr.id)
        return value if value is not None else self.opaque(expr)

    def text(self, value: Value | None, span: Span) -> Text | None:
        """A value as text, as f-strings and concatenation need it; None if it has none."""
        if isinstance(value, Text):
            return value
        if isinstance(value, Scalar):
            if isinstance(value.value, str):
                return Text(value.span, (literal(value.span, value.value),))
            return Text(value.span, (Piece(value.span, str(value.value)),))
        if isinstance(value, Opaque):
            default = value.default
            spare = str(default.value) if isinstance(default, Scalar) else None
            return Text(span, (Piece(span, None, value.reason, spare),))
        return None

    def _joined(self, expr: ast.JoinedStr, scope: Scope, depth: int) -> Value:
        span = self.places.span(expr)
        written = literal_parts(span)
        constants = [part.value for part in expr.values if isinstance(part, ast.Constant)]
        fits = written is not None and [text for text, _, _ in written if text is not None] == constants
        shape = [text is None for text, _, _ in written] if written is not None else []
        fits = fits and shape == [isinstance(part, ast.FormattedValue) for part in expr.values]
        pieces: list[Piece] = []
        for index, part in enumerate(expr.values):
            where = written[index][2] if fits and written is not None else span
            if isinstance(part, ast.Constant):
                segments = written[index][1] if fits and written is not None else ()
                pieces.append(Piece(where, str(part.value), segments=segments))
            elif isinstance(part, ast.FormattedValue):
                pieces.extend(self._field(part, scope, depth, where))
        self._size_of(pieces)
        return Text(span, tuple(pieces))

    def _field(self, part: ast.FormattedValue, scope: Scope, depth: int, where: Span) -> tuple[Piece, ...]:
        value = self.fold(part.value, scope, depth)
        unknown = (Piece(where, None, self._reason(value, part.value)),)
        if part.format_spec is not None or part.conversion not in {-1, 115}:
            known = value.known if isinstance(value, Text) else value.value if isinstance(value, Scalar) else None
            spec = part.format_spec
            plain = isinstance(spec, ast.JoinedStr) and all(isinstance(item, ast.Constant) for item in spec.values)
            if known is None or not plain or not isinstance(spec, ast.JoinedStr) or part.conversion != -1:
                return unknown
            form = "".join(str(item.value) for item in spec.values if isinstance(item, ast.Constant))
            try:
                return (Piece(where, format(known, form)),) if len(form) <= 4 else unknown
            except FAILURES:
                return unknown
        if isinstance(value, Sequence):
            done, plain_value = self.plain(value)
            return (Piece(where, str(plain_value)),) if done and not self._is_opaque(value) else unknown
        text = self.text(value, where)
        return text.pieces if text is not None else unknown

    def _reason(self, value: Value, expr: ast.expr) -> str:
        return value.reason if isinstance(value, Opaque) else self.opaque(expr).reason

    def _sequence(self, expr: ast.List | ast.Tuple | ast.Set, scope: Scope, depth: int) -> Value:
        items: list[Node] = []
        for item in expr.elts:
            if isinstance(item, ast.Starred):
                inner = self.fold(item.value, scope, depth)
                if not isinstance(inner, Sequence):
                    return self.opaque(expr)
                self.spend(len(inner.items))
                items.extend(inner.items)
            else:
                items.append(self.node(self.fold(item, scope, depth), item))
        return self.sized(Sequence(self.places.span(expr), tuple(items)))

    def _dict(self, expr: ast.Dict, scope: Scope, depth: int) -> Value:
        entries: list[Entry] = []
        for key, value in zip(expr.keys, expr.values):
            inner = self.node(self.fold(value, scope, depth), value)
            if key is None:
                if not isinstance(inner, Mapping):
                    return self.opaque(expr)
                self.spend(len(inner.entries))
                entries.extend(inner.entries)
                continue
            found, name = self.plain(self.fold(key, scope, depth))
            if not found or not isinstance(name, (str, int, float)):
                return self.opaque(expr)
            key_span, value_span = self.places.span(key), self.places.span(value)
            entries.append(Entry(str(name), key_span, inner, Span(key_span.source, key_span.start, value_span.end)))
        return self.sized(Mapping(self.places.span(expr), tuple(entries)))

    def plain(self, value: Value | None) -> tuple[bool, Any]:
        """Whether the value (with defaults taken where nothing else is known) is complete, and it as Python data."""
        if isinstance(value, Scalar):
            return True, value.value
        if isinstance(value, Text):
            text = value.default
            return text is not None, text
        if isinstance(value, Opaque):
            return self.plain(value.default) if value.default is not None else (False, None)
        if isinstance(value, Sequence):
            self.spend(len(value.items))
            parts = [self.plain(item) for item in value.items]
            return all(done for done, _ in parts), [part for _, part in parts]
        if isinstance(value, Mapping):
            self.spend(len(value.entries))
            pairs = {entry.key: self.plain(entry.value) for entry in value.entries}
            return all(done for done, _ in pairs.values()), {key: part for key, (_, part) in pairs.items()}
        return False, None

    def _is_opaque(self, value: Value | None) -> str | None:
        """Reason of the first unknown inside a value."""
        self.spend()
        if isinstance(value, Opaque):
            return value.reason
        if isinstance(value, Text):
            return value.reason
        if isinstance(value, Sequence):
            return next((reason for item in value.items if (reason := self._is_opaque(item)) is not None), None)
        if isinstance(value, Mapping):
            return next((reason for item in value.entries if (reason := self._is_opaque(item.value)) is not None), None)
        return None

    def apply(self, expr: ast.expr, function: Callable[..., Any], *values: Value) -> Value:
        """`function` of plain values. Unknown ones with a default give an unknown with the default of the result."""
        span = self.places.span(expr)
        reason = next((found for value in values if (found := self._is_opaque(value)) is not None), None)
        parts = [self.plain(value) for value in values]
        unknown = Opaque(span, reason) if reason is not None else self.opaque(expr)
        if not all(done for done, _ in parts):
            return unknown
        try:
            made = self.made(function(*(part for _, part in parts)), span)
        except FAILURES:
            return unknown
        if made is None:
            return unknown
        return made if reason is None else Opaque(span, reason, made)

    def _size(self, size: int) -> None:
        if size > MAX_LENGTH:
            raise TooLargeError
        self.spend(size // 16)

    def _size_of(self, pieces: list[Piece]) -> None:
        self._size(sum(len(piece.text or "") + 16 for piece in pieces))

    def sized(self, node: Mapping | Sequence) -> Mapping | Sequence:
        """The collection, if with all that is inside it stays small enough: shared parts count each time."""
        parts = [entry.value for entry in node.entries] if isinstance(node, Mapping) else node.items
        size = 1 + sum(self.sizes[id(part)][0] if id(part) in self.sizes else 1 for part in parts)
        if size > MAX_NODES:
            raise TooLargeError
        self.spend(len(parts))
        self.sizes[id(node)] = (size, node)
        return node

    def made(self, result: Any, span: Span) -> Node | None:
        """A Python value that was computed as a node, None if it is of another kind or too large."""
        if isinstance(result, (bool, type(None), float)):
            return Scalar(span, span.text, result)
        if isinstance(result, int):
            return Scalar(span, span.text, result) if result.bit_length() < 4096 else None
        if isinstance(result, (str, bytes)):
            self._size(len(result))
            return Scalar(span, span.text, result)
        if isinstance(result, (list, tuple)):
            self._size(len(result) * 16)
            items = [self.made(item, span) for item in result]
            return None if None in items else Sequence(span, tuple(item for item in items if item is not None))
        return None

    def _binary(self, expr: ast.BinOp, scope: Scope, depth: int) -> Value:
        left, right = self.fold(expr.left, scope, depth), self.fold(expr.right, scope, depth)
        return self.binary(expr, expr.op, left, right)

    def binary(self, expr: ast.expr, kind: ast.operator, left: Value, right: Value) -> Value:
        """The result of an operator, also of an augmented assignment."""
        if isinstance(kind, ast.Add):
            if isinstance(left, Sequence) and isinstance(right, Sequence):
                self._size(16 * (len(left.items) + len(right.items)))
                return self.sized(Sequence(self.places.span(expr), left.items + right.items))
            sides = (left, right)
            if all(map(self._textual, sides)) and not all(isinstance(side, Opaque) for side in sides):
                span = self.places.span(expr)
                parts = [text for side in sides if (text := self.text(side, span)) is not None]
                self._size_of([piece for text in parts for piece in text.pieces])
                return join(span, parts)
        if isinstance(kind, ast.Mult) and Sequence in {type(left), type(right)}:
            return self.opaque(expr)
        return self.apply(expr, lambda one, two: operate(kind, one, two), left, right)

    def _textual(self, value: Value) -> bool:
        """Whether a value is a string, or an unknown that can be one."""
        if isinstance(value, Opaque):
            return value.default is None or (isinstance(value.default, Scalar) and isinstance(value.default.value, str))
        return isinstance(value, Text) or (isinstance(value, Scalar) and isinstance(value.value, str))

    def _unary(self, expr: ast.UnaryOp, scope: Scope, depth: int) -> Value:
        return self.apply(expr, UNARY[type(expr.op)], self.fold(expr.operand, scope, depth))

    def _boolean(self, expr: ast.BoolOp, scope: Scope, depth: int) -> Value:
        stops = isinstance(expr.op, ast.Or)
        value: Value = self.opaque(expr)
        for part in expr.values:
            value = self.fold(part, scope, depth)
            known = self.truth(value)
            if known is None:
                done = self.plain(value)[0]
                rest = [self.fold(other, scope, depth) for other in expr.values]
                if (
                    done
                    and isinstance(value, Opaque)
                    and not any(isinstance(other, (Made, Instance)) for other in rest)
                ):
                    folded: Callable[..., Any] = (
                        (lambda *all_: first(all_, True)) if stops else (lambda *all_: first(all_, False))
                    )
                    return self.apply(expr, folded, *rest)
                return Opaque(self.places.span(expr), self._reason(value, part))
            if known == stops:
                return value
        return value

    def truth(self, value: Value | None) -> bool | None:
        """Whether a value counts as true; None if that is not known."""
        if isinstance(value, (Made, Instance, Parser)):
            return True
        if isinstance(value, Scalar):
            return bool(value.value)
        if isinstance(value, Text):
            if any(piece.text for piece in value.pieces):
                return True
            return False if value.known == "" else None
        if isinstance(value, Sequence):
            return bool(value.items)
        if isinstance(value, Mapping):
            return bool(value.entries)
        return None

    def _compare(self, expr: ast.Compare, scope: Scope, depth: int) -> Value:
        if len(expr.ops) != 1:
            return self.opaque(expr)
        if isinstance(expr.left, ast.Name) and expr.left.id == "__name__":
            return Scalar(self.places.span(expr), "", isinstance(expr.ops[0], ast.Eq))
        left, right = self.fold(expr.left, scope, depth), self.fold(expr.comparators[0], scope, depth)
        if isinstance(expr.ops[0], (ast.Is, ast.IsNot)) and isinstance(left, (Made, Instance, Mapping, Sequence, Text)):
            return self.opaque(expr)
        if (
            isinstance(expr.ops[0], (ast.Is, ast.IsNot))
            and isinstance(left, Opaque)
            and left.reason.startswith("argument:")
        ):
            # an option whose default is None is there to be given: the test says nothing by default
            return Opaque(self.places.span(expr), left.reason)
        return self.apply(expr, COMPARISONS[type(expr.ops[0])], left, right)

    def _conditional(self, expr: ast.IfExp, scope: Scope, depth: int) -> Value:
        test = self.fold(expr.test, scope, depth)
        known = self.truth(test)
        if known is not None:
            return self.fold(expr.body if known else expr.orelse, scope, depth)
        done, plain = self.plain(test)
        default = None
        if done:
            chosen = expr.body if plain else expr.orelse
            default = self.node(self.fold(chosen, scope, depth), chosen)
            default = default if self._is_opaque(default) is None else None
        return Opaque(self.places.span(expr), self._reason(test, expr.test), default)

    def _subscript(self, expr: ast.Subscript, scope: Scope, depth: int) -> Value:
        if self.resolve(expr.value) == "os.environ":
            return self.environ(expr, self.fold(expr.slice, scope, depth), None)
        base = self.fold(expr.value, scope, depth)
        found, key = self.plain(self.fold(expr.slice, scope, depth))
        if found and isinstance(base, Mapping) and isinstance(key, str):
            value = base.get(key)
            return value if value is not None else self.opaque(expr)
        if found and isinstance(key, int) and isinstance(base, (Sequence, Several)):
            items = base.items if isinstance(base, Sequence) else base.values
            return items[key] if -len(items) <= key < len(items) else self.opaque(expr)
        return self.opaque(expr)

    def _attribute(self, expr: ast.Attribute, scope: Scope, depth: int) -> Value:
        base = self.fold(expr.value, scope, depth)
        value: Value | None = None
        if isinstance(base, Instance):
            value = base.fields.get(expr.attr)
        elif isinstance(base, Made) and not base.call.open_ended:
            value = base.call.arguments.get(expr.attr)
        elif isinstance(expr.value, ast.Name) and scope.get(expr.value.id) is None and expr.value.id in self.classes:
            value = self.classes[expr.value.id].fields.get(expr.attr)
        return value if value is not None else self.opaque(expr)

    def environ(self, expr: ast.expr, name: Value, default: Value | None) -> Value:
        """An environment variable: what the file sets, else unknown, with the default given."""
        found, key = self.plain(name)
        if not found or not isinstance(key, str):
            return self.opaque(expr)
        if key in self.environment:
            return self.environment[key]
        return Opaque(self.places.span(expr), f"env:{key}", self.node(default, expr) if default is not None else None)

    def _call(self, expr: ast.Call, scope: Scope, depth: int) -> Value:
        name = self.resolve(expr.func) or ""
        simple = not expr.keywords and not any(isinstance(part, ast.Starred) for part in expr.args)
        if name in {"os.environ.get", "os.getenv"} and expr.args:
            default = (
                expr.args[1]
                if len(expr.args) > 1
                else next((k.value for k in expr.keywords if k.arg == "default"), None)
            )
            spare = self.fold(default, scope, depth) if default is not None else None
            return self.environ(expr, self.fold(expr.args[0], scope, depth), spare)
        if name in FUNCTIONS and simple and scope.get(name) is None:
            return self.apply(expr, FUNCTIONS[name], *(self.fold(part, scope, depth) for part in expr.args))
        if name == "map" and simple and len(expr.args) == 2 and self.resolve(expr.args[0]) in {"str", "int", "float"}:
            function = FUNCTIONS[self.resolve(expr.args[0]) or "str"]
            return self.apply(
                expr, lambda items: [function(item) for item in items], self.fold(expr.args[1], scope, depth)
            )
        if name == "dict" and not expr.args and all(part.arg for part in expr.keywords):
            entries = tuple(self.keyword(part, scope, depth) for part in expr.keywords)
            return self.sized(Mapping(self.places.span(expr), entries))
        call = self.calls.get(id(expr))
        if name in self.classes and call is not None:
            fields: dict[str, Value] = {**self.classes[name].fields}
            if call.open_ended or call.positional:
                return self.opaque(expr)
            fields.update({entry.key: entry.value for entry in call.arguments.entries})
            return Instance(name, fields)
        if call is not None:
            return Made(call, call.span)
        if isinstance(expr.func, ast.Attribute) and expr.func.attr in METHODS and simple:
            return self._method(expr, expr.func, scope, depth)
        return self.opaque(expr)

    def _method(self, expr: ast.Call, function: ast.Attribute, scope: Scope, depth: int) -> Value:
        base = self.fold(function.value, scope, depth)
        arguments = [self.fold(part, scope, depth) for part in expr.args]
        name = function.attr
        if name == "join" and isinstance(base, Scalar) and arguments and isinstance(arguments[0], Sequence):
            parts = [self.text(item, self.places.span(expr)) for item in arguments[0].items]
            separator = self.text(base, base.span)
            span = self.places.span(expr)
            if separator is not None and all(part is not None for part in parts):
                glued = [piece for part in parts if part is not None for piece in (separator, part)][1:]
                self._size_of([piece for part in glued for piece in part.pieces])
                return join(span, glued)
        if name == "format":
            found, form = self.plain(base)
            if not found or not isinstance(form, str) or ":" in form:
                return self.opaque(expr)

        def run(receiver: Any, *rest: Any) -> Any:
            if not isinstance(receiver, str):
                raise TypeError
            if name == "replace" and len(rest) >= 2 and len(receiver) * (len(str(rest[1])) + 1) > MAX_LENGTH:
                raise ValueError
            return getattr(receiver, name)(*rest)

        return self.apply(expr, run, base, *arguments)

    def keyword(self, part: ast.keyword, scope: Scope, depth: int = 0) -> Entry:
        """A keyword argument as an entry."""
        span = self.places.span(part)
        name = part.arg or ""
        value = self.node(self.fold(part.value, scope, depth), part.value)
        return Entry(name, Span(span.source, span.start, span.start + len(name)), value, span)

    def _named(self, expr: ast.NamedExpr, scope: Scope, depth: int) -> Value:
        return self.fold(expr.value, scope, depth)


_FOLDERS: dict[type, Callable[[Folder, Any, Scope, int], Value]] = {
    ast.Constant: Folder._constant,  # noqa: SLF001
    ast.Name: Folder._name,  # noqa: SLF001
    ast.JoinedStr: Folder._joined,  # noqa: SLF001
    ast.List: Folder._sequence,  # noqa: SLF001
    ast.Tuple: Folder._sequence,  # noqa: SLF001
    ast.Dict: Folder._dict,  # noqa: SLF001
    ast.BinOp: Folder._binary,  # noqa: SLF001
    ast.UnaryOp: Folder._unary,  # noqa: SLF001
    ast.BoolOp: Folder._boolean,  # noqa: SLF001
    ast.Compare: Folder._compare,  # noqa: SLF001
    ast.IfExp: Folder._conditional,  # noqa: SLF001
    ast.Subscript: Folder._subscript,  # noqa: SLF001
    ast.Attribute: Folder._attribute,  # noqa: SLF001
    ast.Call: Folder._call,  # noqa: SLF001
    ast.NamedExpr: Folder._named,  # noqa: SLF001
}
