"""Loads option tables for one release from the interval-encoded data files, one file a framework, on demand.

Data file `data/<framework>.json`, and `data/<framework>.files.json` for a framework whose configuration trees matter:

    {"framework": "deepspeed", "versions": ["0.18.0", ...oldest to newest...],
     "records": [{"type": "int", "default": 1, ...}, ...],
     "options": {"<table>": {"<key>": [[first, last, record], ...], ...}, ...}}
    {"framework": ..., "versions": [...], "files": {"<path>": [[first, last, content], ...]}, "contents": ["<text>", ...]}

The writer puts `"records":[` and each `"<table>":{` at the start of a line, and nothing else looks like them, so that one
table of a large file is read without the others.

`first` and `last` are indices into `versions` (inclusive), `record` and `content` indices into the shared lists.
A record has, where known: `type`, `default` (absent: no default), `required`, `choices`, `aliases`, `flags` (as a command
line writes them), `nargs` (argparse's; 0 for a switch), `stores` (by flag: what a switch stores, where its name alone does
not say so), `deprecated`, `deprecated_flags` (by flag: what to use instead), `replaced_by`, `nullable`, `min`, `max`, `exclusive`
(which of `min` and `max` are not allowed themselves), `plus` (verl: an override needs `+`), `extra` (what a section does
with keys it does not know: `forbid` or `ignore`), `removed` (known only to be rejected), `source` (file in the release),
and instead of `default` a symbolic one: `computed` (text of what code or an interpolation decides, such as `stage == 3`).
`files` hold configuration trees whose text matters (verl's Hydra groups), as facts: keys, values and defaults lists,
without comments save `# @package`, in JSON where that says the same to OmegaConf as the release's YAML. Each content has
a line of its own, so that only those of the release asked for are read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from grpolint.records import Record
from grpolint.values import Default, Unknown, Value

__all__ = [
    "ConfigFile",
    "Option",
    "Table",
    "config_files",
    "frameworks",
    "nearest",
    "newest",
    "raw",
    "table",
    "tables",
    "versions",
]

_DATA = Path(__file__).parent / "data"

_Options = dict[str, list[list[int]]]


class Option(Record):
    """One option of one release. `record` holds the raw facts (see the module's docstring)."""

    framework: str
    version: str
    key: str
    record: dict[str, Any]

    @property
    def source(self) -> str:
        """File in the release that declares it, or an empty text."""
        return str(self.record.get("source", ""))

    @property
    def default(self) -> Value | None:
        """Default, Unknown(`computed:...`) where code decides it, None where it has none (required)."""
        if "default" in self.record:
            return Default(self.record["default"], self.framework, self.version, self.source)
        if "computed" in self.record:
            return Unknown(f"computed:{self.record['computed']}")
        return None


class Table:
    """The options of one table (`trainer`, `engine`, `env` ...) of one release.

    An option is found under its aliases too; its `key` is then its own name.
    """

    __slots__ = ("_aliases", "_index", "_keys", "_options", "_records", "framework", "name", "version")

    def __init__(self, framework: str, name: str, version: str, index: int, data: dict[str, Any]) -> None:
        self.framework = framework
        self.name = name
        self.version = version
        self._index = index
        self._options: _Options = data["options"].get(name, {})
        self._records: list[dict[str, Any]] = data["records"]
        self._aliases: dict[str, str] | None = None
        self._keys: list[str] | None = None

    def option(self, key: str) -> Option | None:
        """The option under that name or alias in this release, None if it has none."""
        found = self._find(key)
        if found is None:
            own = self._named_otherwise().get(key)
            return self._find(own) if own is not None else None
        return found

    def _find(self, key: str) -> Option | None:
        for first, last, record in self._options.get(key, ()):
            if first <= self._index <= last:
                return Option(self.framework, self.version, key, self._records[record])
        return None

    def _named_otherwise(self) -> dict[str, str]:
        """Own name by alias; an alias stands in the same section as its option."""
        if self._aliases is None:
            self._aliases = {}
            at, records = self._index, self._records
            with_aliases = {number for number, record in enumerate(records) if "aliases" in record}
            for key, spans in self._options.items():
                for first, last, number in spans:
                    if number in with_aliases and first <= at <= last:
                        section = key.rpartition(".")[0]
                        for alias in records[number]["aliases"]:
                            self._aliases[f"{section}.{alias}" if section else alias] = key
        return self._aliases

    def default(self, key: str) -> Value | None:
        """Default of an option; None if there is no such option or it has no default."""
        option = self.option(key)
        return option.default if option is not None else None

    def keys(self) -> list[str]:
        """All option names of this release."""
        if self._keys is None:
            at, options = self._index, self._options.items()
            self._keys = [key for key, spans in options if any(first <= at <= last for first, last, _ in spans)]
        return list(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __contains__(self, key: str) -> bool:
        return self.option(key) is not None


class ConfigFile(Record):
    """A configuration file that a release ships: path inside its configuration tree, and its text as facts (YAML or JSON)."""

    path: str
    text: str


class _Framework:
    """One framework's data file, parsed as far as it was asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.versions: list[str] = self._at('\n"versions":', "[")
        self._records: list[dict[str, Any]] | None = None
        self._tables: dict[str, _Options | None] = {}

    def _at(self, mark: str, opening: str) -> Any:
        """The value behind `mark` that starts with the bracket `opening`, None if the file has no such thing."""
        start = self._text.find(mark + opening)
        return None if start < 0 else json.JSONDecoder().raw_decode(self._text, start + len(mark))[0]

    @property
    def records(self) -> list[dict[str, Any]]:
        if self._records is None:
            self._records = self._at('\n"records":', "[")
        return self._records

    def names(self) -> list[str]:
        """The names of all tables."""
        start = self._text.find('\n"options":')
        lines = self._text[start + 1 :].splitlines()[1:] if start >= 0 else []
        return [json.loads(line[:-2]) for line in lines if line.startswith('"') and line.endswith(":{")]

    def options(self, name: str) -> _Options | None:
        """The spans of one table by key, None if there is no such table."""
        if name not in self._tables:
            self._tables[name] = self._at(f"\n{json.dumps(name, ensure_ascii=False)}:", "{")
        return self._tables[name]


@cache
def _load(framework: str) -> _Framework | None:
    path = _DATA / f"{framework}.json"
    return _Framework(path.read_text(encoding="utf-8")) if path.is_file() else None


class _Files:
    """One framework's configuration files, each content parsed when it is asked for."""

    def __init__(self, text: str) -> None:
        head, _, contents = text.partition('\n"contents":[\n')
        data: dict[str, Any] = json.loads(head.rstrip(",") + "}")
        self.versions: list[str] = data["versions"]
        self.spans: dict[str, list[list[int]]] = data["files"]
        self._lines = contents.split("\n")

    def content(self, number: int) -> str:
        text: str = json.loads(self._lines[number].removesuffix(","))
        return text


@cache
def _load_files(framework: str) -> _Files | None:
    path = _DATA / f"{framework}.files.json"
    return _Files(path.read_text(encoding="utf-8")) if path.is_file() else None


def frameworks() -> list[str]:
    """Names of the frameworks that the catalog has."""
    names = (path.name.removesuffix(".json") for path in sorted(_DATA.glob("*.json")))
    return [name for name in names if "." not in name and name not in ("manifest", "renames")]


def tables(framework: str) -> list[str]:
    """Names of a framework's tables, in the order of the data; empty for an unknown framework."""
    data = _load(framework)
    return data.names() if data is not None else []


def raw(framework: str, name: str) -> tuple[list[str], list[dict[str, Any]], _Options]:
    """One table over all releases: the releases, the records, and by key its spans (first, last, record).

    All three are empty for a table that the catalog does not have.
    """
    data = _load(framework)
    options = data.options(name) if data is not None else None
    return (data.versions, data.records, options) if data is not None and options is not None else ([], [], {})


def versions(framework: str) -> list[str]:
    """Releases in the catalog, oldest first; empty for an unknown framework."""
    data = _load(framework)
    return list(data.versions) if data is not None else []


def newest(framework: str) -> str | None:
    """The newest release in the catalog."""
    known = versions(framework)
    return known[-1] if known else None


def nearest(framework: str, version: str) -> str | None:
    """The release that answers for a version: the same, else the nearest older one, else the oldest; None without any."""
    known = versions(framework)
    return known[_index(known, version)] if known else None


def _index(known: list[str], version: str) -> int:
    """Index of a release: exact, else the nearest older one, else the oldest. An unparsable version is the newest."""
    if version in known:
        return known.index(version)
    from packaging.version import InvalidVersion, Version

    try:
        wanted = Version(version)
    except InvalidVersion:
        return len(known) - 1
    older = [index for index, text in enumerate(known) if Version(text) <= wanted]
    return older[-1] if older else 0


@lru_cache(maxsize=64)
def table(framework: str, name: str, version: str) -> Table | None:
    """One table at a release (exact or nearest older), None if the catalog has no such table, or no option of it there:
    the program or the section that it describes came later, or is gone.
    """
    data = _load(framework)
    options = data.options(name) if data is not None else None
    if data is None or options is None:
        return None
    index = _index(data.versions, version)
    if not any(first <= index <= last for spans in options.values() for first, last, _ in spans):
        return None
    return Table(framework, name, data.versions[index], index, {"options": {name: options}, "records": data.records})


@lru_cache(maxsize=8)
def config_files(framework: str, version: str) -> dict[str, ConfigFile]:
    """Configuration files of a release by path (exact or nearest older release); empty if it has none."""
    data = _load_files(framework)
    if data is None:
        return {}
    index = _index(data.versions, version)
    found = {}
    for path, spans in data.spans.items():
        for first, last, content in spans:
            if first <= index <= last:
                found[path] = ConfigFile(path, data.content(content))
    return found
