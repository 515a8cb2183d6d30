"""Whether an option is deprecated and by what it is replaced, as facts drawn from its declaration."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

from harvest.fold import text
from harvest.records import Record
from harvest.tree import Module

__all__ = ["deprecation", "said"]

_OPENING = re.compile(r"^\W*(?:\*\*|warning:?\s*)?deprecated\b", re.IGNORECASE)
_INSIDE = re.compile(
    r"[\[(]\s*deprecated\b|\b(?:this|the) (?:flag|option|argument|arg|field|parameter|setting)(?: name)?"
    r" (?:is|has been|will be) (?:now )?deprecated|^-{0,2}[\w-]+(?: \(--[\w-]+\))? is deprecated",
    re.IGNORECASE,
)
_ONE = r"[`'\"]*(--[a-zA-Z][\w.-]*|[a-z][a-z0-9]*(?:[_.][a-z0-9_.]+)+)"
_SUCCESSOR = re.compile(
    rf"(?:\buse|in favou?r of|replaced by|replaced with|renamed to|migrate to|\bset)\s+(?:the\s+)?{_ONE}", re.IGNORECASE
)

Fold = Callable[[Module, ast.expr, dict[str, Any]], Any]


def said(words: str) -> Record:
    """`deprecated` and, where the words name an option to use instead, `replaced_by`; empty if they do not say so."""
    if not (_OPENING.search(words) or _INSIDE.search(words)):
        return Record()
    successor = _SUCCESSOR.search(words)
    if successor is None:
        return Record(deprecated=True)
    return Record(deprecated=True, replaced_by=successor[1].rstrip(".-"))


def deprecation(fold: Fold, module: Module, keywords: Mapping[str, ast.expr], env: dict[str, Any]) -> Record:
    """The same for the keywords of an `add_argument` call: `deprecated=`, a deprecating action, or what the help says."""
    found = Record()
    if "help" in keywords:
        words = fold(module, keywords["help"], env)
        found = said(words if isinstance(words, str) else _pieces(keywords["help"]))
    if "deprecated" in keywords and fold(module, keywords["deprecated"], env):
        found["deprecated"] = True
    if "action" in keywords and "deprecated" in text(keywords["action"]).lower():
        found["deprecated"] = True
    if found.get("deprecated") and "new_flag" in keywords:
        successor = fold(module, keywords["new_flag"], env)
        if isinstance(successor, str):
            found["replaced_by"] = successor
    return found


def _pieces(node: ast.expr) -> str:
    """Constant parts of a text that does not fold."""
    return "".join(
        part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )
