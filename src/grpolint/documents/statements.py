"""Walks the statements of Python files in the order in which they would run, and records the calls they make."""

from __future__ import annotations

import ast
from typing import Any

from grpolint.documents.command_line import add_argument, parameter, parsed
from grpolint.documents.folding import Folder
from grpolint.documents.mutations import assigned, changed, merged, replace, with_item
from grpolint.documents.nodes import Entry, Mapping, Node, Opaque, Scalar, Sequence
from grpolint.documents.scopes import Call, Instance, Made, Parser, Places, Scope, Several, Value
from grpolint.documents.source import Span
from grpolint.documents.text import Text
from grpolint.records import Record

__all__ = ["Walker"]

_LOWER_CASE = frozenset(
    ("from_pretrained", "get_peft_model", "initialize", "init", "main", "execute_train", "execute", "run", "Popen", "call",
     "check_call", "check_output", "system", "launch", "load_dataset", "get_chat_template", "train", "serve")
)  # fmt: skip
_CAPITALS_LEFT_OUT = ("Error", "Exception", "Warning")


class _Function(Record, frozen=False, eq=False):
    """A function that is read later. `bound` are the arguments of its only call."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    scope: Scope
    places: Places
    prefix: str
    method: bool
    condition: str | None


class Walker:
    """Walks statements and records what they do."""

    def __init__(self) -> None:
        self.folder = Folder()
        self.found: list[Call] = []
        self.strings: dict[str, Text] = {}
        self.settings: dict[str, Entry] = {}
        self.pending: list[_Function] = []
        self.seen: dict[str, list[tuple[ast.Call, Scope, Places]]] = {}
        self.mentions: dict[str, int] = {}
        self.function = ""
        self.condition: str | None = None
        self.depth = 0

    def read(self, trees: list[tuple[ast.Module, Places]]) -> None:
        """Walk the modules, then the functions."""
        scope = Scope()
        for tree, _ in trees:
            for node in ast.walk(tree):
                self.folder.spend()
                if isinstance(node, ast.Name):
                    self.mentions[node.id] = self.mentions.get(node.id, 0) + 1
                elif isinstance(node, ast.Global):
                    for name in node.names:
                        scope.counts[name] = 2
        for tree, places in trees:
            self.folder.places = places
            self._block(tree.body, scope)
        while self.pending:
            ready = (one for one in self.pending if self.mentions.get(one.node.name) != 1 or one.node.name in self.seen)
            function = next(ready, self.pending[0])
            self.pending.remove(function)
            self._read_function(function)

    def _read_function(self, function: _Function) -> None:
        node = function.node
        calls = self.seen.get(node.name, []) if not function.method else []
        only = calls[0] if len(calls) == 1 and self.mentions.get(node.name) == 1 else None
        given: dict[str, Value] = {}
        names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
        if only is not None:
            call, scope, self.folder.places = only
            if any(isinstance(part, ast.Starred) for part in call.args) or any(
                part.arg is None for part in call.keywords
            ):
                only = None
            else:
                given = {name: self.folder.fold(part, scope) for name, part in zip(names, call.args)}
                given.update(
                    {part.arg: self.folder.fold(part.value, scope) for part in call.keywords if part.arg is not None}
                )
        self.folder.places = function.places
        inner = Scope(function.scope)
        defaults: dict[str, ast.expr] = dict(zip(reversed(names), reversed(node.args.defaults)))
        defaults.update(
            {one.arg: value for one, value in zip(node.args.kwonlyargs, node.args.kw_defaults) if value is not None}
        )
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            if argument.arg in given:
                inner.bind(argument.arg, given[argument.arg])
                continue
            default = defaults.get(argument.arg)
            known = self.folder.fold(default, function.scope) if default is not None else None
            if known is None or only is None:
                known = parameter(self.folder, argument, known if not calls else None)
            inner.bind(argument.arg, known)
        for extra in (node.args.vararg, node.args.kwarg):
            if extra is not None:
                inner.bind(extra.arg, None)
        self.function = f"{function.prefix}{node.name}"
        self.condition = function.condition
        self._block(node.body, inner)

    # statements

    def _block(self, body: list[ast.stmt], scope: Scope) -> None:
        if self.depth > 60:
            for name in assigned(body):
                scope.bind(name, None)
            return
        self.depth += 1
        for statement in body:
            self.folder.spend()
            handler = _STATEMENTS.get(type(statement))
            if handler is not None:
                handler(self, statement, scope)
                continue
            self._expressions(statement, scope)
            for name in assigned([statement]):
                scope.bind(name, None)
        self.depth -= 1

    def _expressions(self, node: ast.AST, scope: Scope) -> None:
        """Record the calls in the expressions of a node, inner ones first."""
        inside: list[tuple[ast.AST, Scope]] = [(node, scope)]
        order: list[tuple[ast.Call, Scope]] = []
        while inside:
            at, where = inside.pop()
            self.folder.spend()
            if isinstance(at, ast.Call):
                order.append((at, where))
            elif isinstance(at, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp, ast.Lambda)):
                where = Scope(where, branch=True)
                for part in ast.walk(at):
                    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                        where.names[part.id] = None
                    elif isinstance(part, ast.arg):
                        where.names[part.arg] = None
            inside.extend(
                (part, where)
                for part in ast.iter_child_nodes(at)
                if isinstance(part, (ast.expr, ast.keyword, ast.comprehension))
            )
        for call, where in reversed(order):
            self._record(call, where)

    def _record(self, expr: ast.Call, scope: Scope) -> None:
        folder = self.folder
        name = folder.resolve(expr.func)
        if name is None:
            return
        if isinstance(expr.func, ast.Name) and len(self.seen.setdefault(name, [])) < 2:
            self.seen[name].append((expr, scope, folder.places))
        last = name.rpartition(".")[2]
        if not (last[:1].isupper() and not last.endswith(_CAPITALS_LEFT_OUT)) and last not in _LOWER_CASE:
            return
        span = folder.places.span(expr)
        call = Call(name, folder.places.span(expr.func).text, span, condition=self.condition, function=self.function)
        positional: list[Node] = []
        for index, part in enumerate(expr.args):
            if isinstance(part, ast.Starred):
                call.open_ended = True
            else:
                positional.append(self._argument(call, str(index), part, scope))
        entries: list[Entry] = []
        for keyword in expr.keywords:
            if keyword.arg is not None:
                where = folder.places.span(keyword)
                value = self._argument(call, keyword.arg, keyword.value, scope)
                entries.append(
                    Entry(keyword.arg, Span(where.source, where.start, where.start + len(keyword.arg)), value, where)
                )
                continue
            inner = folder.fold(keyword.value, scope)
            if isinstance(inner, Mapping):
                folder.spend(len(inner.entries))
                entries.extend(inner.entries)
            else:
                call.open_ended = True
        call.positional = tuple(positional)
        call.arguments = Mapping(span, tuple(entries))
        folder.calls[id(expr)] = call
        self.found.append(call)

    def _argument(self, call: Call, key: str, expr: ast.expr, scope: Scope) -> Node:
        value = self.folder.fold(expr, scope)
        if isinstance(value, Text):
            call.texts[key] = value
        elif isinstance(value, Made):
            call.made_by[key] = value.call
        return self.folder.node(value, expr)

    def _assign(self, node: ast.Assign | ast.AnnAssign, scope: Scope) -> None:
        if node.value is None:
            return
        self._expressions(node, scope)
        value = parsed(self.folder, node.value, scope) or self.folder.fold(node.value, scope)
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            self._store(target, value, node.value, node, scope)

    def _store(self, target: ast.expr, value: Value | None, expr: ast.expr, statement: ast.stmt, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            scope.bind(target.id, value)
            if isinstance(value, Made) and value.call.target is None:
                value.call.target = target.id
            self._remember(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            parts: tuple[Value, ...] = ()
            if isinstance(value, (Sequence, Several)):
                parts = value.items if isinstance(value, Sequence) else value.values
            fits = len(parts) == len(target.elts) and not any(isinstance(part, ast.Starred) for part in target.elts)
            for index, part in enumerate(target.elts):
                inner = part.value if isinstance(part, ast.Starred) else part
                self._store(inner, parts[index] if fits else None, expr, statement, scope)
        elif isinstance(target, ast.Attribute):
            self._store_attribute(target, value, expr, statement, scope)
        elif isinstance(target, ast.Subscript):
            self._store_item(target, value, expr, statement, scope)

    def _remember(self, name: str, value: Value | None) -> None:
        """Keep a text of several words under its variable, or forget what the variable held."""
        if isinstance(value, Scalar) and isinstance(value.value, str) and " " in value.value:
            value = self.folder.text(value, value.span)
        if isinstance(value, Text):
            self.strings[name] = value
        else:
            self.strings.pop(name, None)

    def _store_attribute(
        self, target: ast.Attribute, value: Value | None, expr: ast.expr, statement: ast.stmt, scope: Scope
    ) -> None:
        folder = self.folder
        base = folder.fold(target.value, scope)
        node = folder.node(value, expr)
        if self.condition is not None and isinstance(base, (Instance, Made)):
            node = Opaque(node.span, self.condition)
        if isinstance(base, Instance):
            base.fields[target.attr] = node if self.condition is not None or value is None else value
        elif isinstance(base, Made):
            span = folder.places.span(statement)
            end = folder.places.span(target).end
            entry = Entry(target.attr, Span(span.source, end - len(target.attr), end), node, span)
            folder.spend(len(base.call.arguments.entries))
            base.call.arguments = Mapping(base.call.arguments.span, (*base.call.arguments.entries, entry))
            if isinstance(value, Text) and self.condition is None:
                base.call.texts[target.attr] = value

    def _store_item(
        self, target: ast.Subscript, value: Value | None, expr: ast.expr, statement: ast.stmt, scope: Scope
    ) -> None:
        folder = self.folder
        span = folder.places.span(statement)
        key = folder.fold(target.slice, scope)
        if folder.resolve(target.value) == "os.environ":
            if isinstance(key, Scalar) and isinstance(key.value, str):
                self._set_environment(key.value, key.span, folder.node(value, expr), span)
            return
        path: list[Any] = [key.value if isinstance(key, Scalar) else None]
        base = target.value
        while isinstance(base, ast.Subscript):
            inner = folder.fold(base.slice, scope)
            path.append(inner.value if isinstance(inner, Scalar) else None)
            base = base.value
        if not isinstance(base, ast.Name):
            return
        old = scope.get(base.id)
        if old is None:
            return
        item = Entry("", folder.places.span(target.slice), folder.node(value, expr), span)
        new = with_item(folder, old, path[::-1], item)
        replace(folder, old, new, scope)

    def _set_environment(self, name: str, key_span: Span, value: Node, span: Span) -> None:
        if self.condition is not None:
            value = Opaque(value.span, self.condition)
        self.settings[name] = Entry(name, key_span, value, span)
        self.folder.environment[name] = value

    def _augment(self, node: ast.AugAssign, scope: Scope) -> None:
        self._expressions(node, scope)
        folder = self.folder
        if isinstance(node.target, ast.Name):
            old = scope.get(node.target.id)
            right = folder.fold(node.value, scope)
            made = folder.binary(node.value, node.op, old, right) if old is not None else None
            if isinstance(made, Sequence) and isinstance(old, Sequence):
                replace(folder, old, made, scope)
            self._store(node.target, made, node.value, node, scope)
        else:
            self._store(node.target, None, node.value, node, scope)

    def _expression(self, node: ast.Expr, scope: Scope) -> None:
        self._expressions(node, scope)
        call = node.value
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return
        folder = self.folder
        method = call.func.attr
        if folder.resolve(call.func.value) == "os.environ":
            self._environment_call(call, method, scope)
            return
        owner = folder.fold(call.func.value, scope)
        if isinstance(owner, Parser):
            if method == "add_argument":
                add_argument(folder, owner, call, scope)
        elif isinstance(owner, Sequence) and method in {
            "append",
            "extend",
            "insert",
            "remove",
            "clear",
            "sort",
            "reverse",
            "pop",
        }:
            new: Value | None = None
            if method in {"append", "extend"} and len(call.args) == 1:
                value = folder.node(folder.fold(call.args[0], scope), call.args[0])
                more = (value,) if method == "append" else value.items if isinstance(value, Sequence) else None
                if more is not None:
                    new = folder.sized(Sequence(owner.span, owner.items + more))
            replace(folder, owner, new, scope)
        elif isinstance(owner, Mapping) and method in {"update", "pop", "clear", "setdefault", "popitem"}:
            replace(folder, owner, changed(folder, owner, method, call, scope), scope)

    def _environment_call(self, call: ast.Call, method: str, scope: Scope) -> None:
        folder = self.folder
        span = folder.places.span(call)
        values = [folder.fold(part, scope) for part in call.args]
        key = values[0].value if values and isinstance(values[0], Scalar) else None
        if method == "update" and values and isinstance(values[0], Mapping):
            for entry in values[0].entries:
                self._set_environment(entry.key, entry.key_span, entry.value, entry.span)
        elif method == "setdefault" and isinstance(key, str) and len(values) == 2 and key not in self.settings:
            unset = Opaque(span, f"env:{key}", folder.node(values[1], call.args[1]))
            self._set_environment(key, folder.places.span(call.args[0]), unset, span)
        elif method == "pop" and isinstance(key, str):
            self.settings.pop(key, None)
            folder.environment.pop(key, None)

    # compound statements

    def _if(self, node: ast.If, scope: Scope) -> None:
        self._expressions(node.test, scope)
        known = self.folder.truth(self.folder.fold(node.test, scope))
        if known is not None:
            self._block(node.body if known else node.orelse, scope)
            return
        self._branches([node.body, node.orelse], node, scope)

    def _branches(self, bodies: list[list[ast.stmt]], node: ast.stmt, scope: Scope) -> None:
        """Walk bodies of which one runs; what they leave different is unknown afterwards."""
        reason = f"branch:{self.folder.places.span(node).line}"
        outer = self.condition
        self.condition = outer or reason
        arms: list[Scope] = []
        for body in bodies:
            arm = Scope(scope, branch=True)
            self._block(body, arm)
            # An arm that leaves does not reach what follows.
            if not (
                body and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break)) and len(bodies) > 1
            ):
                arms.append(arm)
        self.condition = outer
        for name in dict.fromkeys(name for arm in arms for name in arm.names):
            self.folder.spend(len(arms))
            values = [arm.names[name] if name in arm.names else scope.get(name) for arm in arms]
            value = merged(self.folder, values, reason, self.folder.places.span(node))
            scope.bind(name, value)
            self._remember(name, value)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, scope: Scope) -> None:
        self._expressions(node.test if isinstance(node, ast.While) else node.iter, scope)
        reason = f"branch:{self.folder.places.span(node).line}"
        changing = set(assigned([node]))
        for name in changing:
            scope.bind(name, Opaque(self.folder.places.span(node), reason))
        self._block(node.body, scope)
        # One round was walked; what a later one makes of the names is not known.
        for name in changing:
            scope.bind(name, Opaque(self.folder.places.span(node), reason))
            self._remember(name, None)
        self._block(node.orelse, scope)

    def _with(self, node: ast.With | ast.AsyncWith, scope: Scope) -> None:
        for item in node.items:
            self._expressions(item.context_expr, scope)
            if item.optional_vars is not None:
                self._store(
                    item.optional_vars, self.folder.fold(item.context_expr, scope), item.context_expr, node, scope
                )
        self._block(node.body, scope)

    def _try(self, node: Any, scope: Scope) -> None:
        self._block(node.body, scope)
        if node.handlers:
            self._branches([[], *(handler.body for handler in node.handlers)], node, scope)
        self._block(node.orelse, scope)
        self._block(node.finalbody, scope)

    def _match(self, node: ast.Match, scope: Scope) -> None:
        self._expressions(node.subject, scope)
        subject = self.folder.fold(node.subject, scope)
        bodies = [case.body for case in node.cases]
        if isinstance(subject, Scalar):
            for case in node.cases:
                pattern = case.pattern
                if isinstance(pattern, ast.MatchValue) and case.guard is None:
                    value = self.folder.fold(pattern.value, scope)
                    if isinstance(value, Scalar) and value.value == subject.value:
                        self._block(case.body, scope)
                        return
                    if isinstance(value, Scalar):
                        continue
                elif isinstance(pattern, ast.MatchAs) and pattern.pattern is None and case.guard is None:
                    self._block(case.body, scope)
                    return
                break
            else:
                return
        self._branches([*bodies, []], node, scope)

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        for decorator in node.decorator_list:
            self._expressions(decorator, scope)
        self.pending.append(
            _Function(
                node, scope, self.folder.places, self.function + "." if self.function else "", False, self.condition
            )
        )

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        fields: dict[str, Value] = {}
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id in self.folder.classes:
                fields.update(self.folder.classes[base.id].fields)
        inner = Scope(scope)
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                prefix = f"{node.name}."
                self.pending.append(_Function(statement, scope.root, self.folder.places, prefix, True, self.condition))
            elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                value = statement.value
                if isinstance(value, ast.Call) and (self.folder.resolve(value.func) or "").rpartition(".")[2] in {
                    "field",
                    "Field",
                }:
                    value = next((part.value for part in value.keywords if part.arg == "default"), None)
                span = self.folder.places.span(statement)
                known = (
                    self.folder.fold(value, inner)
                    if value is not None
                    else Opaque(span, f"argument:--{statement.target.id}")
                )
                inner.bind(statement.target.id, known)
            else:
                self._block([statement], inner)
        fields.update({name: value for name, value in inner.names.items() if value is not None})
        self.folder.classes[node.name] = Instance(node.name, fields)

    def _import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        module = "." * node.level + (node.module or "") if isinstance(node, ast.ImportFrom) else None
        for alias in node.names:
            if module is None:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
            else:
                name = f"{module}.{alias.name}" if module.strip(".") else module + alias.name
            self.folder.imports[alias.asname or (name if module is None else alias.name)] = name


_STATEMENTS: dict[type, Any] = {
    ast.Assign: Walker._assign,  # noqa: SLF001
    ast.AnnAssign: Walker._assign,  # noqa: SLF001
    ast.AugAssign: Walker._augment,  # noqa: SLF001
    ast.Expr: Walker._expression,  # noqa: SLF001
    ast.If: Walker._if,  # noqa: SLF001
    ast.For: Walker._loop,  # noqa: SLF001
    ast.AsyncFor: Walker._loop,  # noqa: SLF001
    ast.While: Walker._loop,  # noqa: SLF001
    ast.With: Walker._with,  # noqa: SLF001
    ast.AsyncWith: Walker._with,  # noqa: SLF001
    ast.Try: Walker._try,  # noqa: SLF001
    ast.Match: Walker._match,  # noqa: SLF001
    ast.FunctionDef: Walker._define,  # noqa: SLF001
    ast.AsyncFunctionDef: Walker._define,  # noqa: SLF001
    ast.ClassDef: Walker._class,  # noqa: SLF001
    ast.Import: Walker._import,  # noqa: SLF001
    ast.ImportFrom: Walker._import,  # noqa: SLF001
}
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = Walker._try  # noqa: SLF001
