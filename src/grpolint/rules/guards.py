"""Guards: what must hold for a rule to have anything to say, told in the index, so that its module need not be imported.

A guard maps references (as in `grpolint.rules.api`) to conditions, all of which must hold:

    when={"fact:moe": True, "verl:actor_rollout_ref.rollout.expert_parallel_size": above(1), "env:NCCL_P2P_DISABLE": SET}

`SET` also takes a fact that exists, variables and options by how they begin (`env:NCCL_*`), a kind of complaint of the framework itself
(`complaint:unknown-key`) and a kind of slip of the shell (`slip:lost-options`). A plain value must be equal; a tuple holds the values that would do. A value that is unknown leaves the word to the rule.
References with `|` between them are places of one thing: the condition must hold at one of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from grpolint.run import Run
from grpolint.values import Unknown

__all__ = ["SET", "Condition", "Guard", "Test", "above", "below", "blocked", "encode", "tests"]

Condition = tuple[str, Any]
"""The kind and its operand, as the index holds it."""

Guard = Mapping[str, Any]

SET: Condition = ("set", None)
"""Some document sets it, or the script sets the variable."""


def above(bound: float) -> Condition:
    """A number greater than that."""
    return ("above", bound)


def below(bound: float) -> Condition:
    """A number less than that."""
    return ("below", bound)


def encode(guard: Guard) -> dict[str, list[Any]]:
    """A guard as the index holds it."""
    kinds = ("set", "above", "below")
    found = {}
    for ref, wanted in guard.items():
        if isinstance(wanted, tuple) and len(wanted) == 2 and wanted[0] in kinds:
            found[ref] = list(wanted)
        else:
            found[ref] = ["in", list(wanted) if isinstance(wanted, tuple) else [wanted]]
    return found


class Test:
    """One condition of a guard, made once for all rules that have it: equal conditions are one object."""

    __slots__ = ("kind", "name", "operand", "others", "ref", "space")

    def __init__(self, ref: str, kind: str, operand: Any) -> None:
        self.ref = ref
        self.kind = kind
        self.operand: Any = [(each, _words(each)) for each in operand] if kind == "in" else operand
        (self.space, self.name), *self.others = [each.partition(":")[::2] for each in ref.split("|")]

    def may_hold(self, run: Run) -> bool:
        """Whether it holds for a run, or may hold because a value is unknown."""
        if self._met(self.space, self.name, run):
            return True
        return bool(self.others) and any(self._met(space, name, run) for space, name in self.others)

    def _met(self, space: str, name: str, run: Run) -> bool:
        if self.kind == "set":
            return _present(space, name, run)
        if space == "fact":
            value = run.fact(name)
        else:
            value = run.environment(name) if space == "env" else run.value(space, name)
        if value is None or isinstance(value, Unknown):
            return value is not None
        found = value.value
        if self.kind == "in":
            word = str(found).lower()
            for wanted, words in self.operand:  # noqa: SIM110 - any() costs twice as much
                if word in words or found == wanted:
                    return True
            return False
        number = _number(found)
        return number is not None and (number > self.operand if self.kind == "above" else number < self.operand)


_TESTS: dict[str, Test] = {}


def tests(guard: Mapping[str, list[Any]]) -> tuple[Test, ...]:
    """The conditions of a guard as the index holds it, what only needs a look at what is written before the others."""
    found = []
    for ref, (kind, operand) in guard.items():
        key = f"{ref} {kind} {operand}"
        if key not in _TESTS:
            _TESTS[key] = Test(ref, kind, operand)
        found.append(_TESTS[key])
    return tuple(sorted(found, key=lambda test: test.kind != "set")) if len(found) > 1 else tuple(found)


def blocked(conditions: tuple[Test, ...], run: Run, answers: dict[Test, bool]) -> str | None:
    """The reference whose value keeps the rule from saying anything; None if there is no such one.

    `answers` holds what was asked for the same run before.
    """
    for test in conditions:
        answer = answers.get(test)
        if answer is None:
            answer = answers[test] = test.may_hold(run)
        if not answer:
            return test.ref
    return None


def _present(space: str, name: str, run: Run) -> bool:
    if space == "complaint":
        return any(each.kind == name for each in run.complaints)
    if space == "slip":
        return run.launch is not None and any(each.kind == name for each in run.launch.slips)
    if space == "fact":
        return run.fact(name) is not None
    if space == "env":
        return name in run.env or (name.endswith("*") and any(each.startswith(name[:-1]) for each in run.env))
    settings = run.settings.get(space)
    if settings is None:
        return False
    if settings.open_reason is not None:  # where options may be set out of sight, each may be
        return True
    if name.endswith("*"):
        return any(each.key.startswith(name[:-1]) for each in settings)
    return settings.get(name) is not None


def _words(wanted: Any) -> tuple[str, ...]:
    """What a launch file may write for a value, in lower case: `True` and `1` are one, 8 and "8" are one."""
    if isinstance(wanted, bool):
        return ("true", "1", "yes", "on") if wanted else ("false", "0", "no", "off")
    return (str(wanted).lower(),)


def _number(found: Any) -> float | None:
    try:
        return float(found) if not isinstance(found, bool) else None
    except (TypeError, ValueError):
        return None
    except OverflowError:
        return math.inf if found > 0 else -math.inf
