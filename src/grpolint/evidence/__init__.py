"""What is known, as data: public threads, the handbook's rules and matrix, symptoms and their causes.

Maintainers edit the YAML files of the folder `evidence/` of the repository; `grpolint.evidence.compile` holds them against
their schema and writes the JSON files of `data/`, which this module loads, each when it is first asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from grpolint.records import Record, field

__all__ = [
    "GRADES",
    "Cause",
    "Cell",
    "Pattern",
    "Stated",
    "Symptom",
    "Thread",
    "causes",
    "cells",
    "frozen",
    "patterns",
    "stated",
    "symptoms",
    "thread",
    "threads",
]

GRADES = ("confirmed", "partly", "unverified", "contradicted", "opinion")
"""How far a statement was found to be true, best first."""


class Thread(Record):
    """A public issue, pull request, released source, page or experiment, and what it says in our own words.

    `ref` is `owner/repo#number`, `package version: file`, `name: title` or `arXiv number` for a page, or the name of an experiment; an experiment has no `url`.
    `kind` is issue, pull, thread (one of the two), source, page or experiment; `state` open, closed or merged, and for the
    others released, published or repeatable; empty where nobody wrote it down. `frameworks` it concerns; `introduced` and `fixed` map a package to the first release that has the fault
    or no longer has it. `checked` is the date (ISO) at which somebody last read it; empty where only a rule's header cites
    it. `rules` are the ids of grpolint's rules that cite it.
    """

    ref: str
    url: str
    kind: str
    state: str
    says: str
    grade: str
    frameworks: tuple[str, ...] = ()
    introduced: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    checked: str = ""
    note: str = ""
    rules: tuple[str, ...] = ()


class Stated(Record):
    """One of the handbook's 36 rules: as it states it, and what was found out about it.

    `bugs` are the ids it cites, as written there; `refs` the threads and sources by which it was judged. `options` maps a
    framework to the options that it concerns. `rules` are grpolint's rules that carry its true part; `same_as` are other rules of the handbook
    that say the same.
    """

    id: str
    kind: str
    text: str
    why: str
    bugs: tuple[str, ...]
    title: str
    grade: str
    corrected: str
    condition: str
    decidable_from: str
    edit: str
    notes: str
    refs: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    same_as: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class Pattern(Record):
    """A class of faults that recurs in several frameworks.

    `stated` are the handbook's rules of that class, `refs` the threads and sources beyond its cells, `rules` grpolint's rules.
    """

    name: str
    title: str
    says: str
    stated: tuple[str, ...]
    refs: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class Cell(Record):
    """One cell of the handbook's matrix: the ids it prints there, and where they really belong.

    `column` is the framework whose column the handbook puts them in, `framework` the one that they concern. `state` is
    open, fixed (then `fixed` names the release), merged, closed, feature or not-found.
    """

    pattern: str
    column: str
    printed: str
    ref: str
    framework: str
    state: str
    fixed: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


class Cause(Record):
    """Why a run fails or learns nothing.

    `topics` are the lenses it belongs to (moe, muon, fsdp, zero, group-size, ...); `check` says what to look at, `fix` what to
    do; `rules` are grpolint's rules that find it in launch files; `refs` the evidence. `needs` maps facts to the values that
    it takes (`true`, `muon`, `1`, a bound such as `>1`): a run with another value cannot have it.
    """

    id: str
    title: str
    check: str
    fix: str
    grade: str
    topics: tuple[str, ...] = ()
    frameworks: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Symptom(Record):
    """Something that people see: a line of a log (`pattern`, a regular expression) or a thing they say (`words`).

    `causes` are ids of causes with how much the symptom speaks for each; the shares of a symptom sum to 1 at most, what is
    left being other causes. A line counts only where that of the symptom `near` stands within a traceback of it.
    """

    id: str
    title: str
    causes: Mapping[str, float]
    pattern: str = ""
    words: tuple[str, ...] = ()
    example: str = ""
    near: str = ""


_Kind = TypeVar("_Kind", bound=Record)

_DATA = Path(__file__).parent / "data"


def _load(name: str, kind: type[_Kind]) -> tuple[_Kind, ...]:
    with (_DATA / f"{name}.json").open("rb") as file:
        rows: list[dict[str, Any]] = json.load(file)
    return tuple(kind(**{key: frozen(value) for key, value in row.items()}) for row in rows)


def frozen(value: Any) -> Any:
    """A value of JSON as records have it: lists as tuples, those inside of mappings too."""
    if isinstance(value, list):
        return tuple(value)
    return {key: frozen(each) for key, each in value.items()} if isinstance(value, dict) else value


@lru_cache(maxsize=1)
def threads() -> tuple[Thread, ...]:
    """Every thread and source that anything rests on, by ref."""
    return _load("threads", Thread)


def thread(ref: str) -> Thread | None:
    """The thread of that ref, letter case aside; None if nothing is known of it."""
    wanted = ref.lower()
    return next((each for each in threads() if each.ref.lower() == wanted), None)


@lru_cache(maxsize=1)
def stated() -> tuple[Stated, ...]:
    """The handbook's 36 rules in its order: D01-D19, N01-N17."""
    return _load("handbook", Stated)


@lru_cache(maxsize=1)
def patterns() -> tuple[Pattern, ...]:
    """The classes of faults, in the order of the handbook's matrix; stale_cache_corruption is the eighth."""
    return _load("patterns", Pattern)


@lru_cache(maxsize=1)
def cells() -> tuple[Cell, ...]:
    """The cells of the handbook's matrix."""
    return _load("cells", Cell)


@lru_cache(maxsize=1)
def symptoms() -> tuple[Symptom, ...]:
    """Everything that can be recognised in a log or in somebody's words."""
    return _load("symptoms", Symptom)


@lru_cache(maxsize=1)
def causes() -> tuple[Cause, ...]:
    """Every cause that a symptom can have."""
    return _load("causes", Cause)
