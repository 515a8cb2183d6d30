"""Configuration trees in YAML as facts."""

from __future__ import annotations

import json
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
    """A YAML file's keys and values without its comments, save Hydra's own directive (`# @package`).

    In JSON, which is YAML too and read ten times as fast, where that says the same to OmegaConf; else in YAML.
    """
    directives = [line for line in text.splitlines() if line.startswith("# @package")]
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if node is None:
        return "\n".join(directives) + "\n" if directives else ""
    body = _in_json(text)
    if body is None:
        body = yaml.serialize(node, Dumper=yaml.SafeDumper, width=10_000, allow_unicode=True)
    return "\n".join([*directives, body])


def _in_json(text: str) -> str | None:
    """A line of JSON with the data that OmegaConf reads in a text; None where JSON cannot say it."""
    from omegaconf._utils import get_yaml_loader

    try:
        data = yaml.load(text, Loader=get_yaml_loader())
        body = json.dumps(data, ensure_ascii=False, allow_nan=False)
    except (yaml.YAMLError, TypeError, ValueError):
        return None
    # Keys that are no text become text in JSON.
    return body + "\n" if isinstance(data, (dict, list)) and json.loads(body) == data else None
