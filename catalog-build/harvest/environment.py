"""Defaults of environment variables, from the code that reads them."""

from __future__ import annotations

import ast
import re

from harvest.fold import Unfoldable, fold, text
from harvest.records import Record
from harvest.tree import Module, Tree

__all__ = ["getenv_record", "unset"]

_KINDS = {bool: "bool", int: "int", float: "float", str: "str", list: "list", dict: "dict"}
_OWN_TYPES = {"maybe_convert_int": "int", "maybe_convert_bool": "bool", "maybe_convert_json_str_or_file": "dict"}


class _Unset(ast.NodeTransformer):
    """Rewrites code as if no environment variable were set."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = text(node.func)
        if name.endswith(("os.getenv", "os.environ.get")) or name in ("getenv", "environ.get"):
            return node.args[1] if len(node.args) > 1 else ast.Constant(None)
        if name.rsplit(".", 1)[-1] in _OWN_TYPES and node.args:
            return node.args[0]  # both give None for None
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ops[0], (ast.In, ast.NotIn)) and text(node.comparators[0]).endswith("environ"):
            return ast.Constant(isinstance(node.ops[0], ast.NotIn))
        return node


def unset(node: ast.expr) -> ast.expr:
    """The expression with every read of the environment replaced by what it gives for an unset variable."""
    copied = ast.parse(ast.unparse(node), mode="eval").body
    changed = _Unset().visit(copied)
    assert isinstance(changed, ast.expr)
    return ast.fix_missing_locations(changed)


def getenv_record(tree: Tree, module: Module, node: ast.expr) -> Record:
    """What a reader of an environment variable says: a lambda, or a call with the default and the choices.

    The default is the value that the reading code makes of an unset variable, `computed` with its text where that
    depends on the machine or on other code.
    """
    record = Record(source=module.path)
    if isinstance(node, ast.Call) and re.search(r"with_choices$", text(node.func)) and len(node.args) >= 3:
        record.update(type="str")
        _default(tree, module, node.args[1], record)
        try:
            choices = fold(tree, module, node.args[2])
        except Unfoldable:
            return record
        record["choices"] = list(choices)
        return record
    body = node.body if isinstance(node, ast.Lambda) else None
    if body is None:
        return Record(
            source=module.path, computed=f"{text(node.func)}()" if isinstance(node, ast.Call) else f"{text(node)}()"
        )
    record["type"] = _kind(body)
    _default(tree, module, unset(body), record)
    if "default" in record and record["default"] is not None and not record["type"]:
        record["type"] = _KINDS.get(type(record["default"]), "")
    return record


def _default(tree: Tree, module: Module, node: ast.expr, record: Record) -> None:
    try:
        record["default"] = fold(tree, module, node)
    except Unfoldable:
        record["computed"] = text(node)


def _kind(body: ast.expr) -> str:
    """Type by the outermost conversion."""
    if isinstance(body, ast.Compare):
        return "bool"
    if isinstance(body, ast.IfExp):
        return _kind(body.orelse) or _kind(body.body)
    if isinstance(body, ast.Call):
        name = text(body.func).rsplit(".", 1)[-1]
        if name in ("getenv", "get", "lower", "upper", "expanduser", "strip"):
            return "str"
        return _OWN_TYPES.get(name, name if name in ("int", "float", "bool", "str") else "")
    return ""
