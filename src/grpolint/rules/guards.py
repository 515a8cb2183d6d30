"""Guards: what must hold for a rule to have anything to say, told in the index, so that its module need not be imported.

A guard maps references (as in `grpolint.rules.api`) to conditions, all of which must hold:

    when={"fact:moe": True, "verl:actor_rollout_ref.rollout.expert_parallel_size": above(1), "env:NCCL_P2P_DISABLE": SET}

`SET` also takes a fact that exists, variables by how they begin (`env:NCCL_*`), a kind of complaint of the framework itself
(`complaint:unknown-key`) and a kind of slip of the shell (`slip:lost-options`). A plain value must be equal; a tuple holds the values that would do. A value that is unknown leaves the word to the rule.
References with `|` between them are places of one thing: the condition must hold at one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.run import Run
from grpolint.values import Unknown, Value

__all__ = ["SET", "Condition", "Guard", "above", "below", "blocked", "encode"]

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


def blocked(guard: Mapping[str, list[Any]], run: Run) -> str | None:
    """The reference whose value keeps the rule from saying anything; None if there is no such one."""
    for ref, (kind, operand) in guard.items():
        if not any(_met(each, kind, operand, run) for each in ref.split("|")):
            return ref
    return None


def _met(ref: str, kind: str, operand: Any, run: Run) -> bool:
    """Whether the condition may hold for one reference."""
    space, _, name = ref.partition(":")
    if kind != "set":
        return _holds(_value(run, space, name), kind, operand)
    if space == "complaint":
        return any(each.kind == name for each in run.complaints)
    if space == "slip":
        return run.launch is not None and any(each.kind == name for each in run.launch.slips)
    if space == "fact":
        return run.fact(name) is not None
    if space == "env":
        return name in run.env or (name.endswith("*") and any(each.startswith(name[:-1]) for each in run.env))
    return run.setting(space, name) is not None or _open(run, space)


def _open(run: Run, space: str) -> bool:
    """Whether options of that framework may be set where nobody can read them."""
    settings = run.settings.get(space)
    return settings is not None and settings.open_reason is not None


def _value(run: Run, space: str, name: str) -> Value | None:
    if space == "fact":
        return run.fact(name)
    return run.environment(name) if space == "env" else run.value(space, name)


def _holds(value: Value | None, kind: str, operand: Any) -> bool:
    """Whether a value may meet the condition: an unknown one may."""
    if value is None:
        return False
    if isinstance(value, Unknown):
        return True
    found = value.value
    if kind == "in":
        return any(_same(found, each) for each in operand)
    number = _number(found)
    return number is not None and (number > operand if kind == "above" else number < operand)


def _same(found: Any, wanted: Any) -> bool:
    """Equality as launch files mean it: `True` and `true` are one, 8 and "8" are one, letter case does not matter."""
    if isinstance(wanted, bool):
        return str(found).lower() in (("true", "1", "yes", "on") if wanted else ("false", "0", "no", "off"))
    return found == wanted or str(found).lower() == str(wanted).lower()


def _number(found: Any) -> float | None:
    try:
        return float(found) if not isinstance(found, bool) else None
    except (TypeError, ValueError):
        return None
