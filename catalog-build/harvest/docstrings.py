"""Texts that document attributes, read only for whether they say that an attribute is deprecated."""

from __future__ import annotations

import ast
import itertools

from harvest.fold import ClassRef

__all__ = ["attribute_docs"]


def attribute_docs(found: ClassRef) -> dict[str, str]:
    """The string that follows each annotated attribute of a class body, by the attribute's name."""
    docs: dict[str, str] = {}
    body = found.node.body
    for node, after in itertools.pairwise(body):
        if not (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(after, ast.Expr)):
            continue
        if isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
            docs[node.target.id] = " ".join(after.value.value.split())
    return docs
