"""Looking options up: by name, glob, suffix or alias, over the tables of a framework, one entry for equal tables."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from grpolint.catalog import nearest, table, tables, versions
from grpolint.catalog.history import Event, History, Rename, history, predecessors, successor
from grpolint.catalog.loader import Option, raw
from grpolint.records import Record

__all__ = ["Entry", "find", "near", "release"]

_INTERNAL = ("dataclass", "section")
"""Tables of classes and sections: their keys are nothing that anybody writes in a file."""


class Entry(Record):
    """An option in one release, for all tables that say the same of it.

    `option` is None where the release does not have it; `life` is its history, `renamed` what took its place and
    `before` the names that it had. `typed` is the name that was asked for, where it is an alias.
    """

    framework: str
    version: str
    key: str
    tables: tuple[str, ...]
    option: Option | None
    life: History
    renamed: Rename | None
    before: tuple[Rename, ...]
    typed: str = ""

    @property
    def record(self) -> dict[str, Any]:
        """The facts at this release, else at the last one that had it."""
        return (self.option or self.life.latest()).record

    @property
    def events(self) -> list[Event]:
        """What changed from release to release."""
        return self.life.events()


def release(framework: str, version: str | None) -> str:
    """The release of the catalog that answers for a version: the same, else the nearest older one, else the oldest."""
    known = versions(framework)
    if version is None or not known:
        return known[-1] if known else "unknown"
    return nearest(framework, version) or known[-1]


def find(framework: str, version: str, pattern: str, only: str | None = None) -> list[Entry]:
    """The options that a name or glob names, in the order of the data.

    A glob is matched against the options of the release; a name is looked for in it, among its aliases, as the end of
    a name (`rollout.n`), and then in all other releases. `only` is a table; without it those that are written in files.
    """
    names = [only] if only is not None else [each for each in tables(framework) if each not in _INTERNAL]
    if any(char in pattern for char in "*?["):
        return _entries(framework, version, names, lambda key: fnmatchcase(key, pattern), whole=False)
    own = {found.key for name in names if (at := table(framework, name, version)) and (found := at.option(pattern))}
    if own:
        typed = "" if pattern in own else pattern
        return _entries(framework, version, names, lambda key: key in own, whole=False, typed=typed)
    end = "." + pattern.lstrip("-").replace("-", "_")
    for whole in (False, True):
        for matches in (lambda key: key == pattern, lambda key: ("." + key).endswith(end)):
            entries = _entries(framework, version, names, matches, whole=whole)
            if entries:
                return entries
    return []


def _entries(
    framework: str, version: str, names: list[str], matches: Any, *, whole: bool, typed: str = ""
) -> list[Entry]:
    """`whole` looks at the options of all releases."""
    merged: dict[tuple[str, str], Entry] = {}
    for name in names:
        at = table(framework, name, version)
        if at is None:
            continue
        for key in raw(framework, name)[2] if whole else at.keys():
            life = history(framework, name, key) if matches(key) else None
            if life is None:
                continue
            option = at.option(key)
            renamed = successor(framework, name, key, version)
            entry = Entry(
                framework,
                version,
                key,
                (name,),
                option,
                life,
                renamed,
                tuple(predecessors(framework, name, key)),
                typed,
            )
            mark = (key, repr((_facts(entry.record), entry.events, renamed and renamed.new)))
            same = merged.get(mark)
            if same is not None:
                entry = Entry(framework, version, key, (*same.tables, name), option, life, renamed, same.before, typed)
            merged[mark] = entry
    return list(merged.values())


def _facts(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != "source"}


def near(framework: str, version: str, pattern: str) -> list[str]:
    """Names of a release that are like one that it does not have, the nearest first."""
    from difflib import get_close_matches

    keys: dict[str, None] = {}
    for name in tables(framework):
        at = table(framework, name, version) if name not in _INTERNAL else None
        keys.update(dict.fromkeys(at.keys() if at is not None else ()))
    found = get_close_matches(pattern, keys, 3, 0.75)
    if not found:
        last = pattern.rpartition(".")[2]
        by_last: dict[str, str] = {}
        for key in keys:
            by_last.setdefault(key.rpartition(".")[2], key)
        found = [by_last[each] for each in get_close_matches(last, by_last, 3, 0.75)]
    return found
