"""Small makers of fact functions: an option as it is, an option through a function, a constant."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from grpolint.documents.source import Source
from grpolint.launch import Launch
from grpolint.run import FactFunction, Run, Settings
from grpolint.values import Known, Origin, Unknown, Value, combine, plain
from grpolint.world import World

__all__ = [
    "constant",
    "exactly",
    "find_file",
    "lower",
    "missing_file",
    "option",
    "positive",
    "settings_for",
    "texts",
    "through",
    "times",
    "truth",
]


def option(framework: str, *keys: str) -> FactFunction:
    """The first of several options that has a value other than null."""

    def fact(run: Run) -> Value | None:
        found: Value | None = None
        for key in keys:
            value = run.value(framework, key)
            if value is not None and (isinstance(value, Unknown) or plain(value) is not None):
                return value
            found = found or value
        return None if plain(found) is None else found

    return fact


def through(function: Callable[..., Any], *facts: FactFunction) -> FactFunction:
    """`function` applied to what several fact functions give, by the rules of `values.combine`; null is no value."""

    def fact(run: Run) -> Value | None:
        value = combine(function, *(each(run) for each in facts))
        return None if isinstance(value, Known) and value.value is None else value

    return fact


def constant(value: Any, detail: str) -> FactFunction:
    """A fact that follows from which program runs; `detail` names it."""
    return lambda _run: Known(value, (Origin("built-in", None, detail),))


def lower(value: Any) -> str:
    """Text in lower case."""
    return str(value).lower()


def truth(value: Any) -> bool:
    """Truth of an option as parsers give it: a bool, a number, or such a text."""
    if isinstance(value, str):
        return value.strip().lower() in ("true", "1", "yes", "on")
    return bool(value)


def positive(value: Any) -> bool:
    """Whether a number is above zero; null is not."""
    return value is not None and float(value) > 0


def times(*numbers: Any) -> int:
    """Product of whole numbers."""
    product = 1
    for number in numbers:
        product *= int(number)
    return product


def exactly(whole: Any, *parts: Any) -> int:
    """Whole number of times that the parts fit; ValueError where they do not fit exactly."""
    product = times(*parts)
    if product < 1 or int(whole) % product:
        raise ValueError("not divisible")
    return int(whole) // product


def texts(launch: Launch) -> list[str]:
    """The known beginnings of the arguments of a launch: enough to recognise options by name."""
    return [word.prefix for word in launch.argv]


def find_file(world: World, pattern: str | None) -> Source | None:
    """The file of that name, where unknown folders (`<env:DIR>/ds.json`) are passed over; None if it is not there."""
    if not pattern:
        return None
    found = world.find(pattern)
    if found is not None or ">" not in pattern:
        return found
    tail = pattern.rpartition(">")[2].lstrip("/")
    if not tail or "<" in tail or "/" not in pattern.rpartition(">")[2]:
        return None  # part of the file's own name is unknown
    return world.find(tail) or world.find("/" + tail)


def missing_file(pattern: str | None, what: str) -> str:
    """Reason of everything that a file decides which cannot be read; `what` names it where its name is not known.

    Where part of its own name is unknown, that is the reason.
    """
    text = pattern or ""
    if ">" in text and "/" not in text.rpartition(">")[2]:
        return text.rpartition("<")[2].partition(">")[0]
    return f"file:{pattern or what}"


def settings_for(run: Run, world: World, framework: str, *tables: str, elsewhere: Container[str] = ()) -> Settings:
    """The run's settings of a framework, made with the defaults of these catalog tables if it has none yet.

    An option is looked up in the tables in their order. `elsewhere` are options that a checkpoint decides where no document
    sets them: they have no default.
    """
    from grpolint.catalog import table

    if framework not in run.settings:
        version = world.version(framework)
        found = [each for each in (table(framework, name, version.text) for name in tables) if each is not None]

        def default(key: str) -> Value | None:
            if key in elsewhere:
                return Unknown("file:checkpoint")
            return next((value for value in (each.default(key) for each in found) if value is not None), None)

        run.settings[framework] = Settings(framework, version, default, tables=found)
    return run.settings[framework]
