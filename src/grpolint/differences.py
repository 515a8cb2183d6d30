"""What differs between two runs: settings, facts and environment, by what they mean and not by how they are written."""

from __future__ import annotations

from collections.abc import Iterable

from grpolint.facts import FACTS
from grpolint.records import Record
from grpolint.run import Run, Settings
from grpolint.values import Unknown, Value

__all__ = ["Difference", "environment", "facts", "same", "settings", "settings_of"]


class Difference(Record):
    """One quantity with both of its values; None where a run does not have it. `set` says whether a document sets it
    in the first and in the second run.
    """

    framework: str
    key: str
    before: Value | None
    after: Value | None
    set: tuple[bool, bool]


def same(one: Value | None, other: Value | None) -> bool:
    """Whether two values are equal, wherever they come from. Unknown values are if they are so for the same reason."""
    if one is None or other is None:
        return one is other
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        if not (isinstance(one, Unknown) and isinstance(other, Unknown)):
            return False
        return (one.reason, one.alternatives) == (other.reason, other.alternatives)
    if isinstance(one.value, bool) != isinstance(other.value, bool):
        return False
    return bool(one.value == other.value)


def settings(one: Run, other: Run) -> list[Difference]:
    """The settings that differ, of the frameworks that both runs have; first those that a document sets."""
    found: list[Difference] = []
    for name, mine in one.settings.items():
        theirs = other.settings.get(name)
        if theirs is not None:
            found.extend(settings_of(mine, theirs))
    return sorted(found, key=lambda each: not any(each.set))


def settings_of(one: Settings, other: Settings) -> list[Difference]:
    """The settings of one framework that differ. What only one of them can know is no difference: a configuration that
    could not be read says nothing of its defaults.
    """
    found = []
    known = one.open_reason is None and other.open_reason is None
    for key in dict.fromkeys((*one.keys(), *other.keys())):
        written = (one.get(key) is not None, other.get(key) is not None)
        if not (any(written) or known):
            continue
        before, after = one.value(key), other.value(key)
        if not same(before, after):
            found.append(Difference(one.framework, key, before, after, written))
    return found


def facts(one: Run, other: Run) -> list[Difference]:
    """The facts that differ."""
    return _differ("fact", ((name, one.fact(name), other.fact(name)) for name in FACTS))


def environment(one: Run, other: Run) -> list[Difference]:
    """The variables of the programs that differ."""
    names = dict.fromkeys((*one.env, *other.env))
    return _differ("env", ((name, one.environment(name), other.environment(name)) for name in names))


def _differ(kind: str, pairs: Iterable[tuple[str, Value | None, Value | None]]) -> list[Difference]:
    return [
        Difference(kind, name, before, after, (before is not None, after is not None))
        for name, before, after in pairs
        if not same(before, after)
    ]
