"""argparse parsers as records: the functions that build a parser are followed statement by statement."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from harvest.deprecation import deprecation
from harvest.fold import ClassRef, FunctionRef, Member, Unfoldable, bind, fold, reference, text, value_of
from harvest.records import Record
from harvest.tree import Module, Tree

__all__ = ["Hook", "Reader", "parser_records", "spelled"]

Hook = Callable[["Reader", Module, ast.Call, dict[str, Any]], Any]
"""Takes the place of a function: is given the reader, the module, the call and the names known at it; its result is
what the call is worth."""

_SWITCHES = {"store_true": False, "store_false": True}
_TYPES = {
    "int": "int",
    "float": "float",
    "str": "str",
    "bool": "bool",
    "Path": "str",
    "loads": "json",
    "str2bool": "bool",
    "strtobool": "bool",
    "lambda": "",
}


def parser_records(
    tree: Tree,
    path: str,
    start: str | None = None,
    env: Mapping[str, Any] | None = None,
    hooks: Mapping[str, Hook] | None = None,
) -> dict[str, Record]:
    """Options by destination that a parser built in `path` has.

    `start` names the function (or `Class.method`, `function.inner`) to follow; without it the code under `if __name__ == "__main__"` and
    the module's own top level are followed. Both arms of an undecidable `if` count; loops over constants are unrolled;
    functions of the release that are given the parser are followed, except those named in `hooks`. Raises KeyError if
    there is no such function.
    """
    module = tree.module(path)
    if module is None:
        raise KeyError(path)
    reader = Reader(tree, hooks or {})
    if start is None:
        reader.block(module, [node for node in module.tree.body if not isinstance(node, ast.Import)], dict(env or {}))
    else:
        reader.block(module, _function(module, start).body, dict(env or {}))
    return reader.records


def _function(module: Module, name: str) -> ast.FunctionDef:
    owner, _, method = name.rpartition(".")
    if not owner:
        return module.functions[name]
    outer = module.classes.get(owner) or module.functions[owner]
    for node in outer.body:
        if isinstance(node, ast.FunctionDef) and node.name == method:
            return node
    raise KeyError(name)


class Reader:
    """Follows parser-building code and collects what it adds."""

    def __init__(self, tree: Tree, hooks: Mapping[str, Hook]) -> None:
        self.tree = tree
        self.hooks = hooks
        self.records: dict[str, Record] = {}
        self._following: list[tuple[str, str]] = []

    def block(self, module: Module, body: list[ast.stmt], env: dict[str, Any]) -> None:
        for node in body:
            self._statement(module, node, env)

    def _statement(self, module: Module, node: ast.stmt, env: dict[str, Any]) -> None:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self._call(module, node.value, env)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            worth = self._call(module, node.value, env) if isinstance(node.value, ast.Call) else None
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if worth is not None and isinstance(target, ast.Name):
                env[target.id] = worth
            else:
                self._assign(module, node, env)
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Call):
            self._call(module, node.value, env)
        elif isinstance(node, ast.If):
            self._if(module, node, env)
        elif isinstance(node, ast.For):
            self._for(module, node, env)
        elif isinstance(node, ast.FunctionDef):
            env[node.name] = FunctionRef(module, node)
        elif isinstance(node, ast.ImportFrom):
            self._import(module, node, env)
        elif isinstance(node, ast.With):
            self.block(module, node.body, env)
        elif isinstance(node, ast.Try):
            for body in (node.body, *(handler.body for handler in node.handlers), node.orelse):
                self.block(module, body, env)

    def _assign(self, module: Module, node: ast.Assign | ast.AnnAssign, env: dict[str, Any]) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        assert node.value is not None
        for target in targets:
            try:
                env.update(bind(target, reference(self.tree, module, node.value, env)))
            except Unfoldable:
                for inner in ast.walk(target):
                    if isinstance(inner, ast.Name):
                        env.pop(inner.id, None)

    def _import(self, module: Module, node: ast.ImportFrom, env: dict[str, Any]) -> None:
        """An import inside a function."""
        source = self.tree.target(module, node.level, node.module or "")
        for alias in node.names if source is not None else ():
            assert source is not None
            self._bind(source, ast.Name(alias.name, ast.Load()), alias.asname or alias.name, {}, env)

    def _if(self, module: Module, node: ast.If, env: dict[str, Any]) -> None:
        if text(node.test).startswith("__name__"):
            self.block(module, node.body, env)
            return
        try:
            arms = [node.body if fold(self.tree, module, node.test, env) else node.orelse]
        except Unfoldable:
            arms = [node.body, node.orelse]
        for arm in arms:
            self.block(module, arm, env if len(arms) == 1 else dict(env))

    def _for(self, module: Module, node: ast.For, env: dict[str, Any]) -> None:
        try:
            items = fold(self.tree, module, node.iter, env)
        except Unfoldable:
            return
        for item in items:
            try:
                env.update(bind(node.target, item))
            except Unfoldable:
                return
            self.block(module, node.body, env)

    def _call(self, module: Module, node: ast.Call, env: dict[str, Any]) -> Any:
        name = text(node.func).rsplit(".", 1)[-1]
        if name in self.hooks:
            return self.hooks[name](self, module, node, env)
        if name == "add_argument":
            self.argument(module, node, env)
        elif name == "set_defaults":
            for keyword in node.keywords:
                if keyword.arg in self.records:
                    record = self.records[keyword.arg]
                    record.pop("default", None)
                    record.pop("computed", None)
                    self._default(module, keyword.value, env, record)
        else:
            if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
                self._call(module, node.func.value, env)
            for inner in node.args:
                if isinstance(inner, ast.Call):
                    self._call(module, inner, env)
            self._follow(module, node, env)
        return None

    def _follow(self, module: Module, node: ast.Call, env: dict[str, Any]) -> None:
        try:
            function = reference(self.tree, module, node.func, env)
        except Unfoldable:
            return
        if not isinstance(function, FunctionRef):
            return
        mark = (function.module.path, function.node.name)
        if mark in self._following or ("add_argument" not in ast.unparse(function.node) and "parser" not in text(node)):
            return
        inner: dict[str, Any] = {}
        declared = function.node.args
        for argument, default in zip(declared.args[len(declared.args) - len(declared.defaults) :], declared.defaults):
            self._bind(function.module, default, argument.arg, {}, inner)
        for argument, value in zip(declared.args, node.args):
            self._bind(module, value, argument.arg, env, inner)
        for keyword in node.keywords:
            if keyword.arg:
                self._bind(module, keyword.value, keyword.arg, env, inner)
        self._following.append(mark)
        self.block(function.module, function.node.body, inner)
        self._following.pop()

    def _bind(self, module: Module, node: ast.expr, name: str, env: dict[str, Any], inner: dict[str, Any]) -> None:
        try:
            inner[name] = reference(self.tree, module, node, env)
        except Unfoldable:
            inner.pop(name, None)

    def argument(self, module: Module, node: ast.Call, env: dict[str, Any]) -> None:
        """Adds what one `add_argument(...)` adds; nothing if its names do not fold."""
        try:
            names = [str(fold(self.tree, module, item, env)) for item in node.args]
        except Unfoldable:
            return
        keywords, is_whole = _keywords(node)
        if not names:
            return
        flags = [name for name in names if name.startswith("-")]
        long = [name for name in flags if name.startswith("--")] or flags
        destination = long[0].lstrip("-").replace("-", "_") if long else names[0]
        if "dest" in keywords:
            destination = str(self._folded(module, keywords["dest"], env) or destination)
        record = Record(source=module.path, flags=flags)
        self._action(module, keywords, env, record, long)
        _stored(keywords, record, destination)
        if not is_whole and not keywords.keys() & {"action", "type"}:
            record.pop("type", None)
        if "nargs" in keywords:
            found = self._folded(module, keywords["nargs"], env)
            record["nargs"] = found if isinstance(found, (int, str)) else text(keywords["nargs"])
        if "choices" in keywords:
            choices = self._spelled(module, keywords["choices"], env)
            if isinstance(choices, (list, tuple, set, frozenset, dict)):
                record["choices"] = sorted(choices) if isinstance(choices, (set, frozenset)) else list(choices)
        if not flags and record.get("nargs") not in ("?", "*") and "default" not in keywords:
            record["required"] = True
        if "required" in keywords:
            record["required"] = bool(self._folded(module, keywords["required"], env))
        if "default" in keywords:
            if text(keywords["default"]) not in ("argparse.SUPPRESS", "SUPPRESS"):
                self._default(module, keywords["default"], env, record)
        elif is_whole and not record.get("required") and "default" not in record and "computed" not in record:
            record["default"] = None
        record.update(deprecation(self._folded, module, keywords, env))
        if destination.startswith("deprecated_") or destination.endswith("_deprecated"):
            record["deprecated"] = True
        self.add(destination, record)

    def add(self, destination: str, record: Record) -> None:
        """A second argument with the same destination adds spellings; the first one's default counts."""
        known = self.records.get(destination)
        if known is None or known.get("flags") == record.get("flags"):
            self.records[destination] = record
            return
        known["flags"] = list(dict.fromkeys([*known.get("flags", []), *record.get("flags", [])]))
        if "stores" in record:
            known["stores"] = {**known.get("stores", {}), **record["stores"]}
        if record.get("deprecated") and not known.get("deprecated"):
            successor = record.get("replaced_by", "")
            retired = dict.fromkeys(record["flags"], successor)
            known["deprecated_flags"] = {**known.get("deprecated_flags", {}), **retired}

    def _action(
        self, module: Module, keywords: dict[str, ast.expr], env: dict[str, Any], record: Record, long: list[str]
    ) -> None:
        action = text(keywords["action"]).strip("'\"").rsplit(".", 1)[-1] if "action" in keywords else "store"
        if action in _SWITCHES:
            record.update(type="bool", nargs=0, default=_SWITCHES[action])
        elif action == "BooleanOptionalAction":
            record.update(type="bool", nargs=0, default=None)
            record["flags"] = [*record["flags"], *(f"--no-{name[2:]}" for name in long if name.startswith("--"))]
        elif action == "store_const":
            record.update(nargs=0, default=None)
            if "const" in keywords:
                record["stores"] = dict.fromkeys(record["flags"], self._folded(module, keywords["const"], env))
        elif action == "count":
            record.update(type="int", nargs=0, default=None)
        elif "type" in keywords:
            name = text(keywords["type"]).rsplit(".", 1)[-1]
            record["type"] = _TYPES.get("lambda" if name.startswith("lambda") else name, name)
            record["type"] = record["type"] if record["type"].isidentifier() else ""
        elif action in ("store", "append"):
            record["type"] = "str"
        elif "action" in keywords:
            self._own_action(module, keywords, env, record)
        if action in ("append", "extend"):
            record["type"] = f"list[{record.get('type') or 'str'}]"

    def _own_action(self, module: Module, keywords: dict[str, ast.expr], env: dict[str, Any], record: Record) -> None:
        """An action class of the release: its constructor's default says whether it takes values."""
        try:
            action = reference(self.tree, module, keywords["action"], env)
        except Unfoldable:
            return
        if not isinstance(action, ClassRef) or "nargs" in keywords:
            return
        for node in action.node.body:
            if isinstance(node, ast.FunctionDef) and node.name == "__init__":
                names = [item.arg for item in node.args.args]
                for name, default in zip(names[len(names) - len(node.args.defaults) :], node.args.defaults):
                    if name == "nargs" and isinstance(default, ast.Constant) and default.value is not None:
                        record["nargs"] = default.value
                if record.get("nargs") == 0 and "const_value" in keywords:
                    stored = self._folded(module, keywords["const_value"], env)
                    record["stores"] = dict.fromkeys(record["flags"], stored)

    def _spelled(self, module: Module, node: ast.expr, env: dict[str, Any]) -> Any:
        try:
            return spelled(reference(self.tree, module, node, env))
        except Unfoldable:
            return None

    def _folded(self, module: Module, node: ast.expr, env: dict[str, Any]) -> Any:
        try:
            return fold(self.tree, module, node, env)
        except Unfoldable:
            return None

    def _default(self, module: Module, node: ast.expr, env: dict[str, Any], record: Record) -> None:
        try:
            record["default"] = spelled(reference(self.tree, module, node, env))
            record.pop("computed", None)
        except Unfoldable:
            record.pop("default", None)
            record["computed"] = text(node)


def spelled(value: Any) -> Any:
    """A value with enumeration members as a command line writes them: texts by value, others by name.

    Raises Unfoldable for classes and functions.
    """
    if isinstance(value, Member):
        return value.value if isinstance(value.value, str) else value.name
    if isinstance(value, (list, tuple, set, frozenset)):
        return type(value)(spelled(item) for item in value)
    return value_of(value)


def _stored(keywords: dict[str, ast.expr], record: Record, destination: str) -> None:
    """Notes what a switch stores under a name that is not its destination."""
    action = text(keywords["action"]).strip("'\"") if "action" in keywords else ""
    if action in _SWITCHES:
        odd = [name for name in record["flags"] if name.lstrip("-").replace("-", "_") != destination]
        if odd:
            record["stores"] = dict.fromkeys(odd, not _SWITCHES[action])


def _keywords(node: ast.Call) -> tuple[dict[str, ast.expr], bool]:
    """Keywords of a call, with those that stand in a literal `**{...}`; False if others are spread in unseen."""
    found: dict[str, ast.expr] = {}
    is_whole = True
    for keyword in node.keywords:
        if keyword.arg is not None:
            found[keyword.arg] = keyword.value
            continue
        is_whole = is_whole and isinstance(keyword.value, ast.Dict) and None not in keyword.value.keys
        if isinstance(keyword.value, ast.Dict):
            for key, value in zip(keyword.value.keys, keyword.value.values):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    found[key.value] = value
    return found, is_whole
