"""Interval encoding of many releases into one data file, and back.

The encoding depends on the releases alone: harvesting from scratch and adding the newest release to existing data give
the same bytes. `grpolint.catalog.loader` describes the format.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from packaging.version import Version

from harvest.records import Record, Release, Tables, canonical

__all__ = ["Data", "decode", "encode", "read", "write"]

Data = dict[str, Any]


class _Pool:
    """Distinct values, numbered by first appearance."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[str, int] = {}

    def number(self, value: Any) -> int:
        text = canonical(value)
        if text not in self._numbers:
            self._numbers[text] = len(self.values)
            self.values.append(value)
        return self._numbers[text]


def _extend(spans: list[list[int]], index: int, number: int) -> None:
    if spans and spans[-1][1] == index - 1 and spans[-1][2] == number:
        spans[-1][1] = index
    else:
        spans.append([index, index, number])


def encode(framework: str, releases: Mapping[str, Release]) -> Data:
    """One framework's releases as intervals over the sorted versions."""
    versions = sorted(releases, key=Version)
    records, contents = _Pool(), _Pool()
    options: dict[str, dict[str, list[list[int]]]] = {}
    files: dict[str, list[list[int]]] = {}
    for index, version in enumerate(versions):
        release = releases[version]
        for table in sorted(release["tables"]):
            for key, record in sorted(release["tables"][table].items()):
                _extend(options.setdefault(table, {}).setdefault(key, []), index, records.number(record))
        for path, text in sorted(release["files"].items()):
            _extend(files.setdefault(path, []), index, contents.number(text))
    return {
        "framework": framework,
        "versions": versions,
        "records": records.values,
        "options": {table: dict(sorted(options[table].items())) for table in sorted(options)},
        "files": dict(sorted(files.items())),
        "contents": contents.values,
    }


def decode(data: Data) -> dict[str, Release]:
    """The releases that `encode` was given."""
    releases: dict[str, Release] = {version: Release(tables={}, files={}) for version in data["versions"]}
    for index, version in enumerate(data["versions"]):
        tables: Tables = {}
        for table, options in data["options"].items():
            found: dict[str, Record] = {
                key: data["records"][number]
                for key, spans in options.items()
                for first, last, number in spans
                if first <= index <= last
            }
            if found:
                tables[table] = found
        releases[version]["tables"] = tables
        releases[version]["files"] = {
            path: data["contents"][number]
            for path, spans in data["files"].items()
            for first, last, number in spans
            if first <= index <= last
        }
    return releases


def _lines(items: list[str], opening: str, closing: str) -> str:
    return opening + "\n" + ",\n".join(items) + "\n" + closing if items else opening + closing


def _mapping(mapping: Mapping[str, Any]) -> str:
    return _lines([f"{canonical(key)}:{canonical(value)}" for key, value in mapping.items()], "{", "}")


def write(data: Data, folder: Path) -> None:
    """Writes `<framework>.json`, and `<framework>.files.json` where there are files; one item a line, atomically.

    Configuration files have their own data file because most questions are about options alone.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = data["framework"]
    head = f'{{"framework":{canonical(name)},\n"versions":{canonical(data["versions"])},\n'
    tables = ",\n".join(f"{canonical(table)}:{_mapping(options)}" for table, options in data["options"].items())
    records = _lines([canonical(record) for record in data["records"]], "[", "]")
    _replace(folder / f"{name}.json", f'{head}"records":{records},\n"options":{{\n{tables}\n}}}}\n')
    path = folder / f"{name}.files.json"
    if data["files"]:
        contents = _lines([canonical(text) for text in data["contents"]], "[", "]")
        _replace(path, f'{head}"files":{_mapping(data["files"])},\n"contents":{contents}}}\n')
    else:
        path.unlink(missing_ok=True)


def _replace(path: Path, text: str) -> None:
    partial = path.with_suffix(".partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)


def read(framework: str, folder: Path) -> Data | None:
    """What `write` wrote, None if there is no data of that framework."""
    path = folder / f"{framework}.json"
    if not path.is_file():
        return None
    data: Data = json.loads(path.read_text(encoding="utf-8"))
    extra = folder / f"{framework}.files.json"
    more: Data = json.loads(extra.read_text(encoding="utf-8")) if extra.is_file() else {"files": {}, "contents": []}
    return {**data, "files": more["files"], "contents": more["contents"]}
