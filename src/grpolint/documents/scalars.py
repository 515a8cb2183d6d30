"""Types of plain YAML scalars: what each loader makes of the same text.

Dialects: `pyyaml` is YAML 1.1 as PyYAML's SafeLoader reads it (`on` is true, `010` is 8, `1e-6` is text), `omegaconf`
is the loader of OmegaConf and Hydra (the same, but `1e-6` is a number and dates stay text), `yaml12` the core schema of
YAML 1.2.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from grpolint.documents.nodes import Mapping, Node, Opaque, Scalar, Sequence

__all__ = ["DIALECTS", "data", "resolve", "resolve_text"]

DIALECTS = ("pyyaml", "omegaconf", "yaml12")

_PREFIX = len("tag:yaml.org,2002:")
_WORDS = {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}
_INFINITY = float("inf")


def resolve(scalar: Scalar, dialect: str = "pyyaml") -> Any:
    """The Python value of a scalar. Only a plain one depends on the dialect; see `resolve_text`."""
    return resolve_text(scalar.raw, dialect) if scalar.plain else scalar.value


def resolve_text(text: str, dialect: str = "pyyaml") -> Any:
    """The Python value of the text of a plain scalar: bool, int, float, None, date, datetime or str.

    Raises ValueError for an unknown dialect. Text that a loader takes for a number but cannot convert (`0b_`, a
    thirteenth month) is given back as it is.
    """
    if dialect == "yaml12":
        return _core(text)
    if dialect not in DIALECTS:
        raise ValueError(f"no YAML dialect {dialect!r}")
    kind = _kind(text, dialect)
    if kind == "str":
        return text
    try:
        return _convert(text, kind)
    except (ValueError, OverflowError):
        return text


def data(node: Node | None, dialect: str = "pyyaml") -> Any:
    """A subtree as plain Python values: dict, list and what `resolve` gives; keys stay the text they are written as.

    Of duplicate keys the last counts. What cannot be known stays the Opaque node itself.
    """
    if isinstance(node, Scalar):
        return resolve(node, dialect)
    if isinstance(node, Mapping):
        return {entry.key: data(entry.value, dialect) for entry in node.entries}
    if isinstance(node, Sequence):
        return [data(item, dialect) for item in node.items]
    return node if isinstance(node, Opaque) else None


def _kind(text: str, dialect: str) -> str:
    """Name of the YAML 1.1 type that a loader gives to a plain scalar."""
    for tag, pattern in _resolvers().get(text[:1], ()):
        if pattern.match(text):
            name: str = tag[_PREFIX:]
            if name != "timestamp" or dialect == "pyyaml":
                return name
    if dialect == "omegaconf" and text[:1] in _NUMERIC and _exponent().match(text):
        return "float"
    return "str"


@cache
def _resolvers() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    """Tags and their expressions by the first character of a scalar. PyYAML is imported only where a scalar is plain."""
    from yaml.resolver import Resolver

    found: dict[str, list[tuple[str, re.Pattern[str]]]] = Resolver.yaml_implicit_resolvers
    return found


_NUMERIC = frozenset("-+0123456789.")


@cache
def _exponent() -> re.Pattern[str]:
    """Floats that OmegaConf's loader knows besides those of YAML 1.1: an exponent without a dot or without a sign."""
    return re.compile(r"[-+]?[0-9]+(?:_[0-9]+)*(?:\.[0-9_]*)?[eE][-+]?[0-9]+\Z|[-+]?[0-9]+(?:_[0-9]+)*\.[0-9_]*\Z")


def _convert(text: str, kind: str) -> Any:
    if kind == "bool":
        return _WORDS[text.lower()]
    if kind == "null":
        return None
    if kind == "int":
        return _integer(text.replace("_", ""))
    if kind == "float":
        return _float(text.replace("_", "").lower())
    if kind == "timestamp":
        return _timestamp(text)
    return text


def _split_sign(text: str) -> tuple[int, str]:
    if text[:1] in ("+", "-"):
        return (-1 if text[0] == "-" else 1), text[1:]
    return 1, text


def _integer(text: str) -> int:
    sign, digits = _split_sign(text)
    if digits.startswith("0b"):
        return sign * int(digits, 0)
    if digits.startswith("0x"):
        return sign * int(digits, 0)
    if ":" in digits:
        total = 0
        for part in digits.split(":"):
            total = total * 60 + int(part)
        return sign * total
    return sign * int(digits, 8 if digits[0] == "0" and digits != "0" else 10)


def _float(text: str) -> float:
    sign, digits = _split_sign(text)
    if digits == ".inf":
        return sign * _INFINITY
    if digits == ".nan":
        return float("nan")
    if ":" in digits:
        # Summed from the last part up, as PyYAML does: the order decides the rounding.
        total, base = 0.0, 1
        for part in reversed(digits.split(":")):
            total += float(part) * base
            base *= 60
        return sign * total
    return sign * float(digits)


def _timestamp(text: str) -> Any:
    from yaml import ScalarNode
    from yaml.constructor import SafeConstructor

    return SafeConstructor().construct_yaml_timestamp(ScalarNode("tag:yaml.org,2002:timestamp", text))


@cache
def _core_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    return (
        re.compile(r"[-+]?[0-9]+\Z|0o[0-7]+\Z|0x[0-9a-fA-F]+\Z"),
        re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z"),
    )


_CORE_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **{
        sign + word: -_INFINITY if sign == "-" else _INFINITY
        for sign in ("", "+", "-")
        for word in (".inf", ".Inf", ".INF")
    },
}


def _core(text: str) -> Any:
    if text in _CORE_WORDS:
        return _CORE_WORDS[text]
    if text[0] not in _NUMERIC:
        return text
    integer, real = _core_patterns()
    try:
        if integer.match(text):
            return int(text, 0) if text.startswith("0o") else int(text, 16 if text.startswith("0x") else 10)
        return float(text) if real.match(text) else text
    except ValueError:
        return text
