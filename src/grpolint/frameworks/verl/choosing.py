"""Makers of fact functions for verl: which trainer, engine and workers read an option decides where it stands."""

from __future__ import annotations

from grpolint.frameworks.asking import lower, option, through
from grpolint.run import FactFunction, Run
from grpolint.values import Unknown, Value, plain
from grpolint.versions import satisfies

__all__ = [
    "ACTOR",
    "MODEL",
    "ROLLOUT",
    "ask",
    "by_strategy",
    "by_workers",
    "first",
    "in_release",
    "legacy",
    "pick",
    "release",
    "strategy",
]

ACTOR = "actor_rollout_ref.actor"
ROLLOUT = "actor_rollout_ref.rollout"
MODEL = "actor_rollout_ref.model"


def ask(key: str) -> FactFunction:
    """An option of verl; null is no value."""
    return option("verl", key)


def _supervised(run: Run) -> bool:
    """Whether the program is a supervised fine-tuning trainer, whose options have other names."""
    return "sft" in run.program and "sft_trainer" in run.program


def pick(trainer: FactFunction, supervised: FactFunction | None = None) -> FactFunction:
    """One function for the RL trainers and another for supervised fine-tuning (None: no such fact there)."""

    def fact(run: Run) -> Value | None:
        chosen = supervised if _supervised(run) else trainer
        return chosen(run) if chosen is not None else None

    return fact


def strategy(run: Run) -> Value | None:
    """Name of the engine that trains the actor: fsdp, fsdp2, megatron, veomni, ..."""
    return through(lower, ask(f"{ACTOR}.strategy"))(run)


def by_strategy(**functions: FactFunction) -> FactFunction:
    """The function for the engine that trains the actor; `fsdp` stands for its versions, None is no such fact."""

    def fact(run: Run) -> Value | None:
        chosen = strategy(run)
        if isinstance(chosen, Unknown):
            return chosen
        name = str(plain(chosen))
        function = functions.get("fsdp" if name.startswith("fsdp") else name)
        return function(run) if function is not None else None

    return fact


def in_release(run: Run, specifier: str) -> bool:
    """Whether verl's release in this run is in a range."""
    return satisfies(run.settings["verl"].version.text, specifier)


def legacy(run: Run) -> bool:
    """Whether the worker implementation before 0.8 trains: its options are read in other places."""
    if not in_release(run, "<0.8"):
        return False
    chosen: str | None = plain(run.settings["verl"].value("trainer.use_legacy_worker_impl"))
    return chosen != "disable"


def by_workers(before: FactFunction, engine: FactFunction) -> FactFunction:
    """One function for the workers before 0.8 and one for the engines since."""
    return lambda run: (before if legacy(run) else engine)(run)


def first(*functions: FactFunction) -> FactFunction:
    """The first of several that has a value."""

    def fact(run: Run) -> Value | None:
        return next((value for value in (function(run) for function in functions) if value is not None), None)

    return fact


def release(run: Run) -> str:
    """The release as origins name it: `verl 0.9.1`."""
    return f"verl {run.settings['verl'].version.text}"
