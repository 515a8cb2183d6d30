"""Constant folding of other people's expressions, across modules, without running anything.

What does not fold raises `Unfoldable`; the caller then keeps the expression's text as a computed default.
"""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from harvest.tree import Module, Tree

__all__ = [
    "ClassRef",
    "FunctionRef",
    "Member",
    "ModuleRef",
    "Unfoldable",
    "bind",
    "fold",
    "members",
    "reference",
    "text",
    "value_of",
]

Env = Mapping[str, Any]
_DEEPEST = 40

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitOr: operator.or_,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, container: item in container,
    ast.NotIn: lambda item, container: item not in container,
}
_CALLABLE = ("list", "tuple", "set", "frozenset", "dict", "sorted", "str", "int", "float", "bool", "len", "min", "max")
_ITERATING = ("range", "enumerate", "zip", "reversed")
_METHODS = {
    str: ("lower", "upper", "replace", "join", "split", "format", "strip", "startswith", "endswith", "removeprefix"),
    dict: ("keys", "values", "items", "get"),
    list: ("copy",),
}


class Unfoldable(Exception):
    """The expression has no value that the release's text alone decides."""


@dataclass(frozen=True)
class ClassRef:
    """A class of the release."""

    module: Module
    node: ast.ClassDef


@dataclass(frozen=True)
class FunctionRef:
    """A function of the release."""

    module: Module
    node: ast.FunctionDef


@dataclass(frozen=True)
class ModuleRef:
    """A module of the release."""

    module: Module


@dataclass(frozen=True)
class Member:
    """A member of an enumeration."""

    name: str
    value: Any


def text(node: ast.AST) -> str:
    """The expression on one line."""
    return " ".join(ast.unparse(node).split())


def value_of(value: Any) -> Any:
    """`value` with enumeration members replaced by their values. Raises Unfoldable for classes and functions."""
    if isinstance(value, Member):
        return value_of(value.value)
    if isinstance(value, (ClassRef, FunctionRef, ModuleRef)):
        raise Unfoldable("not a value")
    if isinstance(value, (list, tuple, set, frozenset)):
        return type(value)(value_of(item) for item in value)
    if isinstance(value, dict):
        return {value_of(key): value_of(item) for key, item in value.items()}
    if type(value).__name__ in ("dict_keys", "dict_values", "range"):
        return [value_of(item) for item in value]
    return value


def fold(tree: Tree, module: Module, node: ast.AST, env: Env | None = None) -> Any:
    """Value of an expression that stands in `module`, `env` holding local names. Raises Unfoldable."""
    return value_of(reference(tree, module, node, env))


def reference(tree: Tree, module: Module, node: ast.AST, env: Env | None = None) -> Any:
    """The same, but the result may also be a ClassRef, FunctionRef or Member. Raises Unfoldable."""
    try:
        return _Folder(tree, 0).fold(module, node, env or {})
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, ZeroDivisionError, RecursionError) as error:
        raise Unfoldable(str(error)) from error


def members(tree: Tree, found: ClassRef) -> list[Member] | None:
    """The members of an enumeration in order, None for a class that is none."""
    bases = [text(base).rsplit(".", 1)[-1] for base in found.node.bases]
    if not any(base.endswith("Enum") or base == "IntFlag" for base in bases):
        return None
    listed: list[Member] = []
    for statement in found.node.body:
        if not (isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)):
            continue
        name = statement.targets[0].id
        if name.startswith("_"):
            continue
        if isinstance(statement.value, ast.Call) and text(statement.value.func).rsplit(".", 1)[-1] == "auto":
            string = any(base in ("StrEnum", "str", "BaseEnum") for base in bases)
            listed.append(Member(name, name.lower() if string else len(listed) + 1))
            continue
        env = {member.name: member.value for member in listed}
        try:
            listed.append(Member(name, fold(tree, found.module, statement.value, env)))
        except Unfoldable:
            listed.append(Member(name, name))
    return listed


class _Folder:
    def __init__(self, tree: Tree, depth: int) -> None:
        self.tree = tree
        self.depth = depth

    def fold(self, module: Module, node: ast.AST, env: Env) -> Any:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None or self.depth > _DEEPEST:
            raise Unfoldable(type(node).__name__)
        self.depth += 1
        try:
            return method(module, node, env)
        finally:
            self.depth -= 1

    def _plain(self, module: Module, node: ast.AST, env: Env) -> Any:
        return value_of(self.fold(module, node, env))

    def _constant(self, _module: Module, node: ast.Constant, _env: Env) -> Any:
        if node.value is Ellipsis or isinstance(node.value, (bytes, complex)):
            raise Unfoldable("constant")
        return node.value

    def _name(self, module: Module, node: ast.Name, env: Env) -> Any:
        if node.id in env:
            return env[node.id]
        found = self.tree.find(module, node.id)
        if found is None:
            raise Unfoldable(node.id)
        return self._definition(*found)

    def _definition(self, module: Module, node: ast.AST) -> Any:
        if isinstance(node, ast.ClassDef):
            return ClassRef(module, node)
        if isinstance(node, ast.FunctionDef):
            return FunctionRef(module, node)
        if isinstance(node, ast.Module):
            return ModuleRef(module)
        return self.fold(module, node, {})

    def _attribute(self, module: Module, node: ast.Attribute, env: Env) -> Any:
        if text(node) == "sys.maxsize":
            return 2**63 - 1
        owner = self.fold(module, node.value, env)
        if isinstance(owner, Member):
            if node.attr in ("value", "name"):
                return getattr(owner, node.attr)
            raise Unfoldable(node.attr)
        if isinstance(owner, ModuleRef):
            found = self.tree.find(owner.module, node.attr)
            if found is None:
                raise Unfoldable(node.attr)
            return self._definition(*found)
        if isinstance(owner, ClassRef):
            return self._class_attribute(owner, node.attr)
        raise Unfoldable(node.attr)

    def _class_attribute(self, owner: ClassRef, name: str) -> Any:
        listed = members(self.tree, owner)
        if listed is not None:
            for member in listed:
                if member.name == name:
                    return member
            raise Unfoldable(name)
        for statement in owner.node.body:
            if isinstance(statement, ast.Assign):
                targets, value = [item.id for item in statement.targets if isinstance(item, ast.Name)], statement.value
            elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
                targets, value = [statement.target.id], statement.value
            else:
                continue
            if name in targets:
                return self.fold(owner.module, value, {})
        for base in owner.node.bases:
            try:
                parent = self.fold(owner.module, base, {})
            except Unfoldable:
                continue
            if isinstance(parent, ClassRef) and parent != owner:
                try:
                    return self._class_attribute(parent, name)
                except Unfoldable:
                    continue
        raise Unfoldable(name)

    def _items(self, module: Module, nodes: list[ast.expr], env: Env) -> list[Any]:
        items: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                items.extend(self._iterate(self.fold(module, node.value, env)))
            else:
                items.append(self.fold(module, node, env))
        return items

    def _list(self, module: Module, node: ast.List, env: Env) -> Any:
        return self._items(module, node.elts, env)

    def _tuple(self, module: Module, node: ast.Tuple, env: Env) -> Any:
        return tuple(self._items(module, node.elts, env))

    def _set(self, module: Module, node: ast.Set, env: Env) -> Any:
        return set(self._items(module, node.elts, env))

    def _dict(self, module: Module, node: ast.Dict, env: Env) -> Any:
        found: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values):
            if key is None:
                found.update(self.fold(module, value, env))
            else:
                found[self._plain(module, key, env)] = self.fold(module, value, env)
        return found

    def _unaryop(self, module: Module, node: ast.UnaryOp, env: Env) -> Any:
        return _UNARY[type(node.op)](self._plain(module, node.operand, env))

    def _binop(self, module: Module, node: ast.BinOp, env: Env) -> Any:
        left, right = self._plain(module, node.left, env), self._plain(module, node.right, env)
        if isinstance(node.op, ast.Pow):
            if not (isinstance(right, (int, float)) and abs(right) <= 64):
                raise Unfoldable("power")
            return left**right
        if isinstance(node.op, ast.LShift):
            if not 0 <= right <= 64:
                raise Unfoldable("shift")
            return left << right
        return _BINARY[type(node.op)](left, right)

    def _boolop(self, module: Module, node: ast.BoolOp, env: Env) -> Any:
        value = None
        for item in node.values:
            value = self._plain(module, item, env)
            if bool(value) != isinstance(node.op, ast.And):
                break
        return value

    def _compare(self, module: Module, node: ast.Compare, env: Env) -> Any:
        left = self._plain(module, node.left, env)
        for kind, other in zip(node.ops, node.comparators):
            right = self._plain(module, other, env)
            if not _COMPARE[type(kind)](left, right):
                return False
            left = right
        return True

    def _ifexp(self, module: Module, node: ast.IfExp, env: Env) -> Any:
        return self.fold(module, node.body if self._plain(module, node.test, env) else node.orelse, env)

    def _joinedstr(self, module: Module, node: ast.JoinedStr, env: Env) -> Any:
        parts = []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                if part.format_spec is not None or part.conversion != -1:
                    raise Unfoldable("format")
                parts.append(str(self._plain(module, part.value, env)))
            else:
                parts.append(str(self.fold(module, part, env)))
        return "".join(parts)

    def _subscript(self, module: Module, node: ast.Subscript, env: Env) -> Any:
        owner = self.fold(module, node.value, env)
        if isinstance(owner, ClassRef):
            return self._class_attribute(owner, self._plain(module, node.slice, env))
        if isinstance(node.slice, ast.Slice):
            ends = [
                None if end is None else self._plain(module, end, env) for end in (node.slice.lower, node.slice.upper)
            ]
            return owner[slice(*ends)]
        return owner[self._plain(module, node.slice, env)]

    def _iterate(self, value: Any) -> list[Any]:
        if isinstance(value, ClassRef):
            listed = members(self.tree, value)
            if listed is None:
                raise Unfoldable("not iterable")
            return list(listed)
        return list(value)

    def _comprehension(self, module: Module, node: Any, env: Env, element: ast.expr) -> list[Any]:
        if len(node.generators) != 1:
            raise Unfoldable("nested comprehension")
        generator = node.generators[0]
        found = []
        for item in self._iterate(self.fold(module, generator.iter, env)):
            inner = {**env, **bind(generator.target, item)}
            if all(self._plain(module, test, inner) for test in generator.ifs):
                found.append(self.fold(module, element, inner))
        return found

    def _listcomp(self, module: Module, node: ast.ListComp, env: Env) -> Any:
        return self._comprehension(module, node, env, node.elt)

    def _generatorexp(self, module: Module, node: ast.GeneratorExp, env: Env) -> Any:
        return self._comprehension(module, node, env, node.elt)

    def _setcomp(self, module: Module, node: ast.SetComp, env: Env) -> Any:
        return set(self._comprehension(module, node, env, node.elt))

    def _dictcomp(self, module: Module, node: ast.DictComp, env: Env) -> Any:
        pair = ast.Tuple(elts=[node.key, node.value], ctx=ast.Load())
        return dict(self._comprehension(module, node, env, pair))

    def _call(self, module: Module, node: ast.Call, env: Env) -> Any:
        name = text(node.func)
        last = name.rsplit(".", 1)[-1]
        keywords = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
        if last in ("field", "Field"):
            return self._field(module, node, keywords, env)
        if last == "get_args" and len(node.args) == 1:
            return self._literal(module, node.args[0])
        if last in ("Path", "PosixPath") and len(node.args) == 1:
            return self._plain(module, node.args[0], env)
        if last == "pp_int" and node.args:  # an int that DeepSpeed prints with commas
            return int(self._plain(module, node.args[0], env))
        if name in _CALLABLE or name in _ITERATING:
            return self._builtin(module, name, node, keywords, env)
        if isinstance(node.func, ast.Attribute):
            try:
                owner = self.fold(module, node.func.value, env)
            except Unfoldable:
                owner = None
            for kind, allowed in _METHODS.items():
                if isinstance(owner, kind) and last in allowed:
                    return getattr(owner, last)(*(self._plain(module, item, env) for item in node.args))
        function = self.fold(module, node.func, env)
        if isinstance(function, FunctionRef) and not node.keywords:
            return self._function(function, [self.fold(module, item, env) for item in node.args])
        raise Unfoldable(name)

    def _builtin(self, module: Module, name: str, node: ast.Call, keywords: dict[str, ast.expr], env: Env) -> Any:
        arguments = [self.fold(module, item, env) for item in node.args]
        if name in ("list", "tuple", "set", "frozenset", "sorted", "len", "reversed", "enumerate"):
            arguments = [self._iterate(item) if isinstance(item, ClassRef) else item for item in arguments]
        else:
            arguments = [value_of(item) for item in arguments]
        if name == "sorted":
            arguments = [value_of(item) for item in arguments]
        named: dict[str, Any] = {}
        for keyword in node.keywords:
            if keyword.arg is None:  # `**mapping`: without it the rest would pass for the whole
                spread = self._plain(module, keyword.value, env)
                if not isinstance(spread, dict):
                    raise Unfoldable("** of no mapping")
                named.update(spread)
        named.update((key, self._plain(module, item, env)) for key, item in keywords.items())
        found = getattr(builtins, name)(*arguments, **named)
        return list(found) if name in _ITERATING else found

    def _field(self, module: Module, node: ast.Call, keywords: dict[str, ast.expr], env: Env) -> Any:
        if "default" in keywords:
            return self.fold(module, keywords["default"], env)
        if "default_factory" in keywords:
            return self.factory(module, keywords["default_factory"], env)
        if node.args and text(node.func) != "field":
            return self.fold(module, node.args[0], env)
        raise Unfoldable("field without default")

    def factory(self, module: Module, node: ast.expr, env: Env) -> Any:
        """What a default factory makes."""
        if isinstance(node, ast.Lambda):
            return self.fold(module, node.body, env)
        if text(node) in ("list", "dict", "set", "tuple"):
            return getattr(builtins, text(node))()
        return self.fold(module, ast.Call(func=node, args=[], keywords=[]), env)

    def _literal(self, module: Module, node: ast.expr) -> Any:
        found = self.tree.find(module, node.id) if isinstance(node, ast.Name) else (module, node)
        if found is None or not isinstance(found[1], ast.Subscript) or not text(found[1].value).endswith("Literal"):
            raise Unfoldable(text(node))
        inner = found[1].slice
        return tuple(self._items(found[0], inner.elts if isinstance(inner, ast.Tuple) else [inner], {}))

    def _function(self, function: FunctionRef, arguments: list[Any]) -> Any:
        """The value of a function that does nothing but return an expression of its positional arguments."""
        body = [
            item
            for item in function.node.body
            if not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))
        ]
        names = [argument.arg for argument in function.node.args.args]
        if (
            len(body) != 1
            or not isinstance(body[0], ast.Return)
            or body[0].value is None
            or len(names) != len(arguments)
        ):
            raise Unfoldable(function.node.name)
        return self.fold(function.module, body[0].value, dict(zip(names, arguments)))


def bind(target: ast.expr, value: Any) -> dict[str, Any]:
    """Names that an assignment target binds. Raises Unfoldable for anything but names and tuples of them."""
    if isinstance(target, ast.Name):
        return {target.id: value}
    if isinstance(target, (ast.Tuple, ast.List)):
        items = list(value)
        if len(items) == len(target.elts):
            bound: dict[str, Any] = {}
            for inner, item in zip(target.elts, items):
                bound.update(bind(inner, item))
            return bound
    raise Unfoldable("assignment target")
