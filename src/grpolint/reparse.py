"""Re-reading: whether a document with edits still reads as before, but for what the edits were to change."""

from __future__ import annotations

from typing import Any

from grpolint.changes import AddEnv, Change, RenameOption, SetOption
from grpolint.documents.source import Source
from grpolint.literals import same
from grpolint.reader import read
from grpolint.run import Run
from grpolint.values import Unknown, plain

__all__ = ["reads_as_well"]


def reads_as_well(before: Source, after: Source, changes: tuple[Change, ...]) -> bool:
    """Whether `after` has no new problems, the same launches, every option that was to be set has its new value, and
    no other setting or variable changed.
    """
    was, now = read(before), read(after)
    if len(now.problems) > len(was.problems) or len(now.slips) > len(was.slips):
        return False
    if [launch.program for launch in was.launches] != [launch.program for launch in now.launches]:
        return False
    if len(was.runs) != len(now.runs):
        return False
    allowed = {mark for change in changes for mark in _marks(change)}
    for old, new in zip(was.runs, now.runs, strict=True):
        one, other = _contents(old), _contents(new)
        if any(one.get(mark, "") != other.get(mark, "") and mark not in allowed for mark in one.keys() | other.keys()):
            return False
        if any(_differs(new, change) for change in changes if isinstance(change, SetOption)):
            return False
    return True


def _differs(run: Run, change: SetOption) -> bool:
    """Whether an option that a document of this run sets has another value than it was to get."""
    setting = run.setting(change.framework, change.key)
    return setting is not None and not same(str(plain(setting.value)), change.value)


def _marks(change: Change) -> list[tuple[str, str]]:
    if isinstance(change, AddEnv):
        return [("env", change.name)]
    if isinstance(change, RenameOption):
        return [(change.framework, change.key), (change.framework, change.new_key)]
    return [(change.framework, change.key)]


def _contents(run: Run) -> dict[tuple[str, str], Any]:
    found: dict[tuple[str, str], Any] = {("env", name): word.pattern for name, word in run.env.items()}
    for name, settings in run.settings.items():
        for setting in settings:
            value = setting.value
            found[name, setting.key] = value.reason if isinstance(value, Unknown) else repr(value.value)
    return found
