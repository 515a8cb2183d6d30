"""ROLL's texts for devices, which it evaluates as Python: `list(range(0,8))`, `[0, 1]`, and sums of such."""

from __future__ import annotations

import ast

__all__ = ["devices"]

_MOST = 100_000


def devices(text: object) -> list[int]:
    """The numbers of the devices. Raises ValueError for anything but lists, ranges and their sums."""
    if isinstance(text, list):
        found = text
    else:
        try:
            found = _value(ast.parse(str(text).strip(), mode="eval").body)
        except (SyntaxError, RecursionError) as error:
            raise ValueError("no Python expression") from error
    if not all(type(each) is int for each in found):
        raise ValueError("no list of numbers")
    return found


def _value(node: ast.expr) -> list[int]:
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_number(each) for each in node.elts]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _value(node.left) + _value(node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id == "list" and len(node.args) == 1:
            return _value(node.args[0])
        if node.func.id == "range" and 1 <= len(node.args) <= 3:
            found = range(*(_number(each) for each in node.args))
            if len(found) <= _MOST:
                return list(found)
    raise ValueError("neither a list nor a range")


def _number(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    raise ValueError("no number")
