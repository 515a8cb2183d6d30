"""Positioned trees into settings: YAML, JSON and Python mappings, with the place of every key kept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from grpolint.documents import scalars
from grpolint.documents.nodes import Entry, Mapping, Node, Opaque, Scalar, Sequence, walk
from grpolint.documents.source import Source, Span
from grpolint.run import Setting
from grpolint.values import Known, Origin, Unknown, Value, origins_of

__all__ = ["node_value", "text_at", "tree_settings", "yaml_root"]


@lru_cache(maxsize=32)
def yaml_root(source: Source) -> Mapping | None:
    """The mapping that a YAML file is, None if it is none. Recognising and composing read the same file."""
    from grpolint.documents import yaml

    root = yaml.parse(source).root
    return root if isinstance(root, Mapping) else None


def node_value(node: Node, dialect: str, *before: Origin) -> Value:
    """Value of a node: a plain Python value if all of it is known, else Unknown with the first reason met.

    `dialect` is the loader whose scalar rules apply (see `documents.scalars`); `before` are origins to begin with.
    """
    if isinstance(node, Scalar):
        return Known(scalars.resolve(node, dialect) if node.plain else node.value, before)
    if isinstance(node, Opaque) and node.default is not None:
        return node_value(node.default, dialect, *before, Origin("argument default", node.default.span, node.reason))
    if isinstance(node, Opaque):
        return Unknown(node.reason, before or (Origin("expression", node.span),))
    if isinstance(node, Sequence):
        items = [node_value(item, dialect) for item in node.items]
        hole = next((item for item in items if isinstance(item, Unknown)), None)
        if hole is not None:
            return Unknown(hole.reason, (*before, *origins_of(*items)))
        return Known([item.value for item in items if isinstance(item, Known)], before)
    below: dict[str, Any] = {}
    for entry in node.entries:
        value = node_value(entry.value, dialect)
        if isinstance(value, Unknown):
            return Unknown(value.reason, (*before, *value.origins))
        below[entry.key] = value.value
    return Known(below, before)


def tree_settings(
    framework: str, root: Mapping, form: str, dialect: str, *, detail: str = "", prefix: str = ""
) -> Iterator[Setting]:
    """Every leaf below `root` as a setting with a dotted key, in written order; duplicate keys are all given.

    `form` is the syntax (`yaml`, `json`, `python`), `detail` names the file in the origins.
    """
    what = {"python": "keyword"}.get(form, "config file")
    for path, node, entry in walk(root, prefix):
        if entry is None:
            continue
        origins = [Origin(what, entry.span, detail)]
        if form == "python" and isinstance(node, Scalar) and not _inside(node.span, entry.span):
            origins.append(Origin("variable", node.span))
        yield Setting(framework, path, node_value(node, dialect, *origins), entry.span, form)


def _inside(span: Span, outer: Span) -> bool:
    return span.source is outer.source and outer.start <= span.start and span.end <= outer.end


def text_at(root: Mapping, key: str, dialect: str) -> tuple[str | None, Entry | None]:
    """Text of a scalar under a key of `root`, with its entry; None for either where there is none."""
    entry = root.entry(key)
    if entry is None or not isinstance(entry.value, Scalar):
        return None, entry
    value = node_value(entry.value, dialect)
    known = isinstance(value, Known) and value.value is not None
    return (str(value.value) if known and isinstance(value, Known) else None), entry
