"""How an option came to be what it is: the catalog's intervals as events, and the names it had before and after.

`history` gives the life of one option in one table; `successor` says what took the place of a name that a release no
longer has, from the reviewed renames (`data/renames.json`):

    {"<framework>": [{"version": <first release with the new name>, "table": ..., "names": {old: new | [new, ...] | null}}]}
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from grpolint.catalog.loader import Option, raw, table
from grpolint.records import Record

__all__ = [
    "Event",
    "History",
    "Rename",
    "histories",
    "history",
    "interchangeable",
    "predecessors",
    "renames",
    "successor",
]

_DATA = Path(__file__).parent / "data" / "renames.json"

_WATCHED = ("type", "choices", "nargs", "min", "max", "required", "deprecated", "replaced_by", "nullable", "plus")
"""What of a record is an event when it changes, besides the default."""

_ABSENT = object()


class Event(Record):
    """Something that a release did to an option.

    `what` is added, removed, default or the name of the field that changed; `before` and `after` are the two values, as
    plain data, None where there was or is none. A default that code decides reads `computed: <expression>`.
    """

    version: str
    what: str
    before: Any = None
    after: Any = None


class History(Record):
    """One option over all releases. `spans` are first release, last release and record, oldest first."""

    framework: str
    table: str
    key: str
    versions: tuple[str, ...]
    spans: tuple[tuple[int, int, dict[str, Any]], ...]

    @property
    def added(self) -> str | None:
        """First release that has it; None where that is the oldest in the catalog, so that nobody knows."""
        first = self.spans[0][0]
        return self.versions[first] if first else None

    @property
    def removed(self) -> str | None:
        """First release without it; None if the newest has it."""
        last = self.spans[-1][1]
        return self.versions[last + 1] if last + 1 < len(self.versions) else None

    def at(self, version: str) -> Option | None:
        """The option at a release (exact or nearest older), None if that one does not have it."""
        found = table(self.framework, self.table, version)
        return found.option(self.key) if found is not None else None

    def latest(self) -> Option:
        """The option in the newest release that has it."""
        _, last, record = self.spans[-1]
        return Option(self.framework, self.versions[last], self.key, record)

    def events(self) -> list[Event]:
        """What changed, release by release. Another source file alone is no event."""
        found: list[Event] = []
        earlier: tuple[int, dict[str, Any]] | None = None
        for first, last, record in self.spans:
            if earlier is None:
                if first:
                    found.append(Event(self.versions[first], "added"))
            elif first > earlier[0] + 1:
                found.append(Event(self.versions[earlier[0] + 1], "removed"))
                found.append(Event(self.versions[first], "added"))
            if earlier is not None:
                found.extend(self._changes(self.versions[first], earlier[1], record))
            earlier = (last, record)
        if self.removed is not None:
            found.append(Event(self.removed, "removed"))
        return found

    def _changes(self, version: str, old: dict[str, Any], new: dict[str, Any]) -> list[Event]:
        found = []
        before, after = _default(old), _default(new)
        if before is not after and (type(before), before) != (type(after), after):
            found.append(
                Event(version, "default", None if before is _ABSENT else before, None if after is _ABSENT else after)
            )
        changed = (name for name in _WATCHED if old.get(name) != new.get(name))
        found.extend(Event(version, name, old.get(name), new.get(name)) for name in changed)
        return found


def _default(record: dict[str, Any]) -> Any:
    if "default" in record:
        return record["default"]
    return f"computed: {record['computed']}" if "computed" in record else _ABSENT


def history(framework: str, name: str, key: str) -> History | None:
    """The life of one option of one table; None if no release has it."""
    versions, records, options = raw(framework, name)
    spans = options.get(key)
    if not spans:
        return None
    made = tuple((first, last, records[number]) for first, last, number in spans)
    return History(framework, name, key, tuple(versions), made)


def histories(framework: str, name: str) -> list[History]:
    """Every option of a table over all releases, in the order of the data."""
    return [found for key in raw(framework, name)[2] if (found := history(framework, name, key)) is not None]


# names


class Rename(Record):
    """An option that got other names.

    `version` is the first release that no longer takes `old`, or that deprecates it. `new` is empty if it went without a
    successor, and has several names if it became several options.
    """

    framework: str
    table: str
    version: str
    old: str
    new: tuple[str, ...]


@cache
def _entries() -> dict[str, list[dict[str, Any]]]:
    data: dict[str, list[dict[str, Any]]] = json.loads(_DATA.read_text(encoding="utf-8"))
    return data


def _made(framework: str, entry: dict[str, Any], old: str) -> Rename:
    new = entry["names"][old]
    names = () if new is None else (new,) if isinstance(new, str) else tuple(new)
    return Rename(framework, entry["table"], entry["version"], old, names)


def renames(framework: str, name: str) -> list[Rename]:
    """All reviewed renames of one table, oldest first."""
    return [
        _made(framework, entry, old)
        for entry in _entries().get(framework, ())
        if entry["table"] == name
        for old in entry["names"]
    ]


def successor(framework: str, name: str, key: str, version: str) -> Rename | None:
    """What took the place of `key` by the time of a release, several renames in a row followed; None if nothing is known.

    The result's `version` is that of the first of them. A rename of a later release than `version` does not count.
    """
    versions, _, options = raw(framework, name)
    at = _position(versions, version)
    if at is None:
        return None
    first: Rename | None = None
    names: tuple[str, ...] = (key,)
    for entry in _entries().get(framework, ()):
        if entry["table"] != name or (_position(versions, entry["version"]) or 0) > at:
            continue
        followed: list[str] = []
        for each in names:
            made = _made(framework, entry, each) if each in entry["names"] else None
            first = first or made
            followed.extend(made.new if made is not None else (each,))
        names = tuple(dict.fromkeys(followed))
    if first is None:
        return None
    there = tuple(each for each in names if any(span[0] <= at <= span[1] for span in options.get(each, ())))
    return Rename(framework, name, first.version, key, there)


def predecessors(framework: str, name: str, key: str) -> list[Rename]:
    """The renames that led to a name, the latest first."""
    found = [each for each in renames(framework, name) if key in each.new]
    return found[::-1]


def _position(versions: list[str], version: str) -> int | None:
    """Index of a release in the catalog: exact, else of the nearest older one; None if there is none."""
    if version in versions:
        return versions.index(version)
    from packaging.version import InvalidVersion, Version

    try:
        wanted = Version(version)
    except InvalidVersion:
        return len(versions) - 1 if versions else None
    older = [index for index, text in enumerate(versions) if Version(text) <= wanted]
    return older[-1] if older else None


def interchangeable(framework: str, name: str, old: str, new: str) -> bool:
    """Whether a value of `old` means the same under `new`, as far as the declarations tell: same type, choices, number of
    values and default, and no name that is the opposite of the other.
    """
    before, after = history(framework, name, old), history(framework, name, new)
    if before is None or after is None or _negative(old) != _negative(new):
        return False
    one, other = before.spans[-1][2], after.spans[0][2]
    kind = [str(each.get("type", "")) for each in (one, other)]
    return kind[0] == kind[1] != "" and all(
        one.get(each) == other.get(each) for each in ("choices", "nargs", "default")
    )


def _negative(key: str) -> bool:
    return any(
        word in ("no", "not", "disable", "disabled", "skip", "without") for word in key.replace(".", "_").split("_")
    )
