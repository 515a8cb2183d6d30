"""Configuration trees in YAML as facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from harvest.records import Record

__all__ = ["facts", "leaves", "yaml_record"]


def leaves(node: dict[Any, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted key and value of every leaf; an empty mapping is a leaf."""
    for key, value in node.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def yaml_record(value: Any, source: str) -> Record:
    """Record of a leaf: a default, `computed` for an interpolation, `required` for `???`."""
    if value == "???":
        return {"required": True, "source": source}
    if "${" in str(value):
        return {
            "computed": value if isinstance(value, str) else yaml.safe_dump(value, default_flow_style=True).strip(),
            "source": source,
        }
    kind = type(value).__name__ if value is not None else ""
    return {"type": kind, "default": value, "nullable": value is None, "source": source}


def facts(text: str) -> str:
    """A YAML file's keys and values without its comments, save Hydra's own directive (`# @package`)."""
    directives = [line for line in text.splitlines() if line.startswith("# @package")]
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if node is None:
        return "\n".join(directives) + "\n" if directives else ""
    body = yaml.serialize(node, Dumper=yaml.SafeDumper, width=10_000, allow_unicode=True)
    return "\n".join([*directives, body])
