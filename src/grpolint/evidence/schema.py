"""Reads the YAML sources of the folder `evidence/` against a strict schema: the records themselves.

A source is a list of entries. An entry has the fields of its record and no others, each of the type that the record's
annotation says; those without default must be there. Scalars are taken as they are written (`0.10` stays `0.10`). Every
fault names the file and the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml

from grpolint.evidence import Cause, Cell, Pattern, Stated, Symptom, Thread
from grpolint.records import Record

__all__ = ["DERIVED", "SOURCES", "Report", "SourceError", "load", "optional"]


class Report(Record):
    """A thread of which only the gist is kept: the fault, and what is said of it there. It becomes a Thread."""

    ref: str
    says: str
    grade: str
    checked: str
    frameworks: tuple[str, ...] = ()


SOURCES: Mapping[str, type[Record]] = {
    "threads": Thread,
    "reports": Report,
    "handbook": Stated,
    "patterns": Pattern,
    "cells": Cell,
    "causes": Cause,
    "symptoms": Symptom,
}
"""What each source holds; its data file has the same name. Reports go into the threads."""

DERIVED: Mapping[str, frozenset[str]] = {
    "threads": frozenset({"rules"}),
    "handbook": frozenset({"rules"}),
    "patterns": frozenset({"rules"}),
    "cells": frozenset({"framework", "fixed"}),
}
"""Fields that are worked out, so that nobody writes them down twice."""

_OPTIONAL: Mapping[str, frozenset[str]] = {"cells": frozenset({"state"})}
"""Fields that are worked out where the source says nothing."""


class SourceError(Exception):
    """What is wrong with the sources. `faults` are sentences, each with its file and entry."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class _Fault(Exception):
    """Why a value is not of its field's type."""


class _Loader(yaml.BaseLoader):
    """Scalars are texts; a key must not stand twice in a mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping; raises yaml.YAMLError where a key repeats."""
        seen = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.MarkedYAMLError(None, None, f"{key.value!r} stands twice", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def load(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The entries of every source by its name. Raises SourceError with all that is wrong."""
    faults: list[str] = []
    found = {name: _source(folder / f"{name}.yaml", name, faults) for name in SOURCES}
    if faults:
        raise SourceError(tuple(faults))
    return found


def _source(path: Path, name: str, faults: list[str]) -> list[dict[str, Any]]:
    where = f"evidence/{path.name}"
    try:
        entries = yaml.load(path.read_text(encoding="utf-8"), _Loader)  # noqa: S506 - it makes texts, lists and mappings only
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        faults.append(f"{where}: {' '.join(str(error).split())}")
        return []
    if not isinstance(entries, list):
        faults.append(f"{where}: it is not a list of entries")
        return []
    found = []
    for number, entry in enumerate(entries, 1):
        label = f"{where}: entry {number}"
        if not isinstance(entry, dict):
            faults.append(f"{label}: it is not a mapping")
            continue
        label += f" ({_title(entry)})"
        found.append(_entry(entry, name, label, faults))
    return found


def _title(entry: Mapping[str, Any]) -> str:
    return str(entry.get("ref") or entry.get("id") or entry.get("name") or entry.get("printed") or "without a name")


def _entry(entry: Mapping[str, Any], name: str, label: str, faults: list[str]) -> dict[str, Any]:
    kind = SOURCES[name]
    annotations = kind.__annotations__
    derived = DERIVED.get(name, frozenset())
    found: dict[str, Any] = {}
    for key, value in entry.items():
        if key in derived:
            faults.append(f"{label}: {key!r} is worked out and must not be written")
        elif key not in annotations:
            faults.append(f"{label}: unknown key {key!r}; known are {', '.join(sorted(set(annotations) - derived))}")
        else:
            try:
                found[key] = _TYPES[annotations[key]](value)
            except _Fault as fault:
                faults.append(f"{label}: {key}: {fault}")
    free = derived | _OPTIONAL.get(name, frozenset()) | optional(kind)
    faults += [f"{label}: {key!r} is missing" for key in annotations if key not in entry and key not in free]
    return found


def optional(kind: type[Record]) -> frozenset[str]:
    """The fields that have a default."""
    return frozenset(kind._defaults)  # noqa: SLF001 - the one place that asks a record's class


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _Fault(f"a text is wanted, not {_called(value)}")
    return value.strip()


def _number(value: object) -> float:
    try:
        return float(_text(value))
    except ValueError:
        raise _Fault(f"a number is wanted, not {value!r}") from None


_T = TypeVar("_T")


def _list_of(read: Callable[[object], _T]) -> Callable[[object], list[_T]]:
    def read_list(value: object) -> list[_T]:
        if not isinstance(value, list):
            raise _Fault(f"a list is wanted, not {_called(value)}")
        return [read(each) for each in value]

    return read_list


def _mapping_of(read: Callable[[object], _T]) -> Callable[[object], dict[str, _T]]:
    def read_mapping(value: object) -> dict[str, _T]:
        if not isinstance(value, dict):
            raise _Fault(f"a mapping is wanted, not {_called(value)}")
        return {_text(key): read(each) for key, each in value.items()}

    return read_mapping


def _called(value: object) -> str:
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, dict) else "a text"


_TYPES: Mapping[str, Callable[[object], Any]] = {
    "str": _text,
    "tuple[str, ...]": _list_of(_text),
    "Mapping[str, str]": _mapping_of(_text),
    "Mapping[str, float]": _mapping_of(_number),
    "Mapping[str, tuple[str, ...]]": _mapping_of(_list_of(_text)),
}
"""How a field is read, by its annotation."""
