"""What changed between two releases, or between two states of the data, for a person to review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from packaging.version import Version

from harvest.records import Record, Release, canonical

__all__ = ["between_releases", "between_states"]

_WATCHED = ("default", "computed", "type", "choices", "required", "deprecated", "replaced_by", "removed", "min", "max")


def _changes(old: Record, new: Record) -> Iterator[str]:
    before: Mapping[str, Any] = old
    after: Mapping[str, Any] = new
    for name in _WATCHED:
        if before.get(name, _Absent) != after.get(name, _Absent):
            yield f"{name} {_shown(before, name)} -> {_shown(after, name)}"


class _Absent:
    """Marks a field that a record lacks; None is a value."""


def _shown(record: Mapping[str, Any], name: str) -> str:
    return canonical(record[name]) if name in record else "none"


def between_releases(old: Release, new: Release) -> list[str]:
    """One line for each option added (`+`), removed (`-`) or changed (`~`), by table and key."""
    lines = []
    for table in sorted(old["tables"].keys() | new["tables"].keys()):
        before, after = old["tables"].get(table, {}), new["tables"].get(table, {})
        for key in sorted(before.keys() | after.keys()):
            if key not in before:
                lines.append(f"+ {table}: {key} = {_shown(after[key], 'default')}")
            elif key not in after:
                lines.append(f"- {table}: {key}")
            else:
                lines.extend(f"~ {table}: {key}: {change}" for change in _changes(before[key], after[key]))
    for path in sorted(old["files"].keys() | new["files"].keys()):
        if path not in old["files"] or path not in new["files"]:
            lines.append(f"{'+' if path in new['files'] else '-'} file {path}")
        elif old["files"][path] != new["files"][path]:
            lines.append(f"~ file {path}")
    return lines


def between_states(old: Mapping[str, Release], new: Mapping[str, Release]) -> list[str]:
    """The same for two states of one framework's data, release by release; a new release against the one before it."""
    lines: list[str] = []
    versions = sorted(new, key=Version)
    lines.extend(f"{version}: no longer in the data" for version in sorted(old.keys() - new.keys(), key=Version))
    for index, version in enumerate(versions):
        if version in old:
            found = between_releases(old[version], new[version])
            title = f"{version}: read differently"
        else:
            found = between_releases(new[versions[index - 1]], new[version]) if index else []
            title = f"{version}: new release" + ("" if found or not index else ", no change")
            if not found:
                lines.append(title)
        if found:
            lines.append(title)
            lines.extend(f"  {line}" for line in found)
    return lines
