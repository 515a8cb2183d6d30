"""Command lines that OmegaConf reads itself (`OmegaConf.from_cli`): `section.key=value`, without Hydra's marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grpolint.documents.scalars import data, resolve_text
from grpolint.documents.source import Source
from grpolint.launch import Word
from grpolint.records import Record
from grpolint.values import Known, Origin, Unknown, Value

__all__ = ["Assignment", "read_dotlist"]


class Assignment(Record):
    """One argument `key=value`; `word` is the argument."""

    key: str
    value: Value
    word: Word


def read_dotlist(argv: Sequence[Word]) -> tuple[list[Assignment], list[Word]]:
    """The assignments of a command line, and the arguments that are none: unknown altogether, or without `=`."""
    found: list[Assignment] = []
    others: list[Word] = []
    for word in argv:
        key, equal, _ = word.prefix.partition("=")
        if not equal or not key:
            others.append(word)
            continue
        rest = word.split_at(len(key) + 1)[1]
        origin = Origin("override", word.span, key)
        origins = (origin, *(each for each in rest.origins if each.span != word.span))
        value: Value
        if word.condition is not None:
            value = Unknown(word.condition, origins)
        elif rest.text is None:
            value = Unknown(rest.reason or "expression:argument", origins)
        else:
            value = Known(_typed(rest.text), origins)
        found.append(Assignment(key, value, word))
    return found, others


def _typed(text: str) -> Any:
    """A value as OmegaConf's loader reads it: a scalar, or YAML's flow style."""
    stripped = text.strip()
    if stripped[:1] in ("[", "{", "'", '"'):
        from grpolint.documents import yaml

        document = yaml.parse(Source("argument", stripped))
        if document.root is not None and not document.problems:
            return data(document.root, "omegaconf")
        return text
    return resolve_text(stripped, "omegaconf")
