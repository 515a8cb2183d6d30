"""The record of one option, and the shape in which a release's options travel through the harvesters.

A record is a plain dict, so that it is written as it is. Absent means unknown; `default` absent means no default.
"""

from __future__ import annotations

import json
import math
from typing import Any, TypedDict

__all__ = ["FIELDS", "Record", "Release", "Tables", "canonical", "clean", "jsonable"]


Record = dict[str, Any]
"""Facts of one option of one release, by the names in FIELDS. No help texts: those are their authors' sentences."""

FIELDS = (
    "type",
    "default",
    "computed",  # instead of `default`: text of what code or an interpolation decides
    "required",
    "choices",
    "aliases",  # other names of the same option
    "flags",  # option strings as a command line writes them
    "nargs",  # argparse's; 0 for a switch that takes no value
    "stores",  # by flag: the value that a switch stores, where its name alone does not say so
    "deprecated",
    "deprecated_flags",  # by flag, while the option itself is not deprecated: what to use instead
    "replaced_by",
    "nullable",
    "min",
    "max",
    "exclusive",  # which of `min` and `max` are themselves not allowed
    "plus",  # verl: not in the composed tree, so that an override needs `+`
    "extra",  # `forbid` or `ignore`: what a section does with keys it does not know
    "removed",  # the release knows the name only to reject it
    "source",  # file in the release
)

Tables = dict[str, dict[str, Record]]


class Release(TypedDict):
    """Everything harvested from one release: options by table and key, configuration files by path."""

    tables: Tables
    files: dict[str, str]


_ORDER = {name: index for index, name in enumerate(FIELDS)}


def jsonable(value: Any) -> Any:
    """`value` with tuples and sets as lists, so that a comparison before and after JSON agrees.

    Raises TypeError for what JSON cannot hold (also for infinities, which its standard form lacks).
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise TypeError(f"{value!r} has no JSON form")
        return value
    if isinstance(value, (list, tuple)):
        return [jsonable(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((jsonable(item) for item in value), key=repr)
    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    raise TypeError(f"{type(value).__name__} has no JSON form")


def clean(record: Record) -> Record:
    """The record with its fields in the order of FIELDS, values as JSON, and empty or false facts left out.

    A default that JSON cannot hold (an infinity) becomes `computed` with its text. Raises KeyError for a field that
    FIELDS does not have.
    """
    found: Record = {}
    for name, value in sorted(record.items(), key=lambda item: _ORDER[item[0]]):
        if name == "default":
            try:
                found["default"] = jsonable(value)
            except TypeError:
                found["computed"] = repr(value)
        elif name == "nargs":
            found[name] = value
        elif value not in (None, "", False, []):
            found[name] = jsonable(value)
        elif name in ("min", "max") and value == 0 and value is not False:
            found[name] = value
    return found


def canonical(value: Any) -> str:
    """One deterministic line of JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
