"""What becomes of values: dictionaries and lists that are changed, and names that branches leave different."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from grpolint.documents.folding import Folder
from grpolint.documents.nodes import Entry, Mapping, Opaque, Scalar, Sequence
from grpolint.documents.scopes import Scope, Value
from grpolint.documents.source import Span
from grpolint.documents.text import Text, join

__all__ = ["assigned", "changed", "merged", "replace", "with_item"]


def with_item(folder: Folder, old: Value, path: list[Any], item: Entry) -> Value | None:
    """A collection with the value of `item` at a path of keys; None (unknown from now on) if it cannot be told."""
    if not path:
        return item.value
    key, rest = path[0], path[1:]
    if isinstance(old, Mapping) and isinstance(key, str):
        folder.spend(len(old.entries))
        if not rest:
            kept = tuple(entry for entry in old.entries if entry.key != key)
            return folder.sized(Mapping(old.span, (*kept, Entry(key, item.key_span, item.value, item.span))))
        inner = old.entry(key)
        made = with_item(folder, inner.value, rest, item) if inner is not None else None
        if inner is not None and isinstance(made, (Mapping, Sequence, Scalar, Opaque)):
            entry = Entry(key, inner.key_span, made, inner.span)
            return folder.sized(Mapping(old.span, tuple(entry if one is inner else one for one in old.entries)))
    return None


def replace(folder: Folder, old: Value, new: Value | None, scope: Scope) -> None:
    """Give every name that holds a changed collection the new one."""
    at: Scope | None = scope
    found: list[str] = []
    while at is not None:
        folder.spend(len(at.names) // 4)
        found.extend(name for name, value in at.names.items() if value is old)
        at = at.parent
    for name in dict.fromkeys(found):
        if scope.get(name) is old:
            scope.names[name] = new


def changed(folder: Folder, owner: Mapping, method: str, call: ast.Call, scope: Scope) -> Value | None:
    """A dictionary after a method that changes it, None if that cannot be told."""
    values = [folder.fold(part, scope) for part in call.args]
    if (
        method == "update"
        and all(isinstance(value, Mapping) for value in values)
        and all(part.arg for part in call.keywords)
    ):
        more = [entry for value in values if isinstance(value, Mapping) for entry in value.entries]
        more += [folder.keyword(part, scope) for part in call.keywords]
        new = {entry.key for entry in more}
        return folder.sized(Mapping(owner.span, (*(one for one in owner.entries if one.key not in new), *more)))
    key = values[0].value if values and isinstance(values[0], Scalar) else None
    if isinstance(key, str) and method == "pop":
        return Mapping(owner.span, tuple(entry for entry in owner.entries if entry.key != key))
    if isinstance(key, str) and method == "setdefault" and len(call.args) == 2:
        if owner.entry(key) is not None:
            return owner
        span = folder.places.span(call)
        entry = Entry(key, folder.places.span(call.args[0]), folder.node(values[1], call.args[1]), span)
        return folder.sized(Mapping(owner.span, (*owner.entries, entry)))
    return None


def assigned(body: Iterable[ast.AST]) -> Iterator[str]:
    """Names that statements bind or whose objects they may change, those of inner functions left out."""
    inside: list[ast.AST] = list(body)
    while inside:
        at = inside.pop()
        if isinstance(at, ast.Name) and isinstance(at.ctx, (ast.Store, ast.Del)):
            yield at.id
        elif isinstance(at, (ast.Subscript, ast.Attribute)) and isinstance(at.ctx, ast.Store):
            base: ast.AST = at
            while isinstance(base, (ast.Subscript, ast.Attribute)):
                base = base.value
            if isinstance(base, ast.Name) and isinstance(at, ast.Subscript):
                yield base.id
        elif (
            isinstance(at, ast.Call)
            and isinstance(at.func, ast.Attribute)
            and isinstance(at.func.value, ast.Name)
            and at.func.attr in {"append", "extend", "update", "pop", "clear", "insert", "remove", "setdefault"}
        ):
            yield at.func.value.id
        if not isinstance(at, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            inside.extend(ast.iter_child_nodes(at))


def merged(folder: Folder, values: list[Value | None], reason: str, span: Span) -> Value | None:
    """What a name holds after branches that left `values` of it: the same, a common beginning, or unknown."""
    first = values[0]
    if all(value is first for value in values):
        return first
    scalars = [value for value in values if isinstance(value, Scalar)]
    if len(scalars) == len(values) and all(_same(one, scalars[0]) for one in scalars):
        return first
    if all(isinstance(value, (Text, Scalar)) for value in values):
        texts = [folder.text(value, span) for value in values]
        shortest = min((text for text in texts if text is not None), key=lambda text: len(text.pieces))
        same = all(text is not None and text.pieces[: len(shortest.pieces)] == shortest.pieces for text in texts)
        if same and shortest.pieces:
            unknown = folder.text(Opaque(span, reason), span)
            return join(span, (shortest, unknown)) if unknown is not None else None
    return Opaque(span, reason)


def _same(one: Scalar, other: Scalar) -> bool:
    return type(one.value) is type(other.value) and one.value == other.value
