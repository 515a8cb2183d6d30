"""MindIE: keys of the service's config.json, derived from its documentation's tables (not from code)."""

from __future__ import annotations

import json
import re
from typing import Any

from harvest.records import Record, Tables
from harvest.tree import Tree

PACKAGE = None
GIT = "Ascend/MindIE-LLM"
TAG = r"v?(?P<version>\d+\.\d+\.\d+(\.beta\.\d+)?)"
BRANCHES = True
LICENCE = "MulanPSL-2.0"
INCLUDE = ("*service_parameter_configuration.md",)

_DOCUMENT = "docs/zh/user_guide/user_manual/service_parameter_configuration.md"
_DEFAULT = re.compile(r"默认值[\uff1a:]\s*(\"[^\"]*\"|\[[^\]]*\]|[-\w.]+)")
_SECTION = re.compile(r"^#+\s*(\w+?)\s*(?:参数说明)?\s*$")
_KINDS = {
    "bool": "bool",
    "string": "str",
    "map": "dict",
    "float": "float",
    "double": "float",
    "set": "list",
    "vector": "list",
}
_RANGE = re.compile(r"^\[\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*\]")
_CHOICES = re.compile(r"<li>\s*([\w.-]+)\s*</li>")


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """Table `config`: `<Section>.<key>`; defaults and ranges as the documentation's tables give them."""
    found: dict[str, Record] = {}
    section = ""
    for line in tree.text(_DOCUMENT).splitlines() if _DOCUMENT in tree else ():
        heading = _SECTION.match(line)
        if heading is not None:
            section = heading[1]
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) >= 4 and re.fullmatch(r"\**\w+\**", cells[0]) and cells[0] != "配置项":
            name = cells[0].strip("*")
            key = f"{section}.{name}" if section.endswith("Config") else name
            found.setdefault(key, _record(cells[1], cells[2], "|".join(cells[3:])))
    return {"config": found}


def _record(kind: str, allowed: str, words: str) -> Record:
    record = Record(source=_DOCUMENT, type=_kind(kind))
    written = _DEFAULT.search(words)
    if written is not None:
        record["default"] = _value(written[1], record["type"])
    bounds = _RANGE.match(allowed)
    if bounds is not None and record["type"] in ("int", "float"):
        record.update(min=json.loads(bounds[1]), max=json.loads(bounds[2]))
    if record["type"] == "str":
        record["choices"] = _CHOICES.findall(allowed)
    return record


def _kind(text: str) -> str:
    if "int" in text or "size_t" in text:
        return "int" if "vector" not in text and "set" not in text else "list"
    return next((kind for word, kind in _KINDS.items() if word in text), "")


def _value(text: str, kind: str) -> Any:
    """A written default; text that is no JSON stays text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return str(value) if kind == "str" and not isinstance(value, str) else value
