"""Operators, functions and methods that folding computes, with bounds on what they may make."""

from __future__ import annotations

import ast
import operator
import posixpath
import re
from collections.abc import Callable
from typing import Any

__all__ = ["ARITHMETIC", "COMPARISONS", "FAILURES", "FUNCTIONS", "MAX_LENGTH", "METHODS", "UNARY", "first", "operate"]

MAX_LENGTH = 200_000
"""Longest text or list that is computed."""

ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}
COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: lambda left, right: left is right,
    ast.IsNot: lambda left, right: left is not right,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}
UNARY: dict[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        function.__name__: function for function in (int, float, str, bool, len, max, min, round, abs, sum, list, tuple)
    },
    "range": lambda *bounds: list(range(*bounds)) if len(range(*bounds)) <= 10_000 else _refuse(),
    "math.ceil": lambda number: -int(-number // 1),
    "math.floor": lambda number: int(number // 1),
    "os.path.join": posixpath.join,
    "os.path.basename": posixpath.basename,
    "os.path.dirname": posixpath.dirname,
}
METHODS = frozenset(
    ("strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "replace", "split", "rsplit", "splitlines", "join",
     "startswith", "endswith", "removeprefix", "removesuffix", "format", "count", "isdigit", "rpartition", "partition")
)  # fmt: skip
FAILURES = (ValueError, TypeError, ZeroDivisionError, OverflowError, IndexError, KeyError, AttributeError, MemoryError)


def _refuse() -> Any:
    raise ValueError


def first(values: tuple[Any, ...], wanted: bool) -> Any:
    """The first value that counts as `wanted`, else the last: what `or` and `and` give."""
    return next((value for value in values if bool(value) == wanted), values[-1])


def operate(kind: ast.operator, left: Any, right: Any) -> Any:
    """An operator on plain values; raises ValueError where the result could be huge."""
    function = ARITHMETIC.get(type(kind))
    if function is None:
        raise ValueError("operator")
    if isinstance(kind, ast.Pow) and (abs(right) > 512 or abs(left) > 1 << 64):
        raise ValueError("power")
    if isinstance(kind, (ast.LShift, ast.RShift)) and right > 512:
        raise ValueError("shift")
    if isinstance(kind, ast.Mult):
        for text, times in ((left, right), (right, left)):
            if isinstance(text, (str, bytes, list)) and (not isinstance(times, int) or len(text) * times > MAX_LENGTH):
                raise ValueError("repeat")
    if isinstance(kind, ast.Mod) and isinstance(left, (str, bytes)):
        if re.search(r"%[^a-zA-Z%]{4}|\*", str(left)):
            raise ValueError("format")
        right = tuple(right) if isinstance(right, list) else right
    return function(left, right)
