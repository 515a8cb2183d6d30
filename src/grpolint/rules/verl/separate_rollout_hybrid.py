"""A trainer with its own rollout devices, and the engine that shares them.

## What it checks
verl's fully asynchronous or one-step-off-policy program while `actor_rollout_ref.hybrid_engine` is true, which is the
default.

## Why it matters
Both trainers assert that it is off, before they load anything.

## Example
    python3 -m verl.experimental.one_step_off_policy.main_ppo rollout.n_gpus_per_node=2

## Instead
    python3 -m verl.experimental.one_step_off_policy.main_ppo actor_rollout_ref.hybrid_engine=False rollout.n_gpus_per_node=2

## Fix safety
Safe: the run does not start otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_HYBRID = "actor_rollout_ref.hybrid_engine"
_PROGRAMS = ("verl.experimental.fully_async_policy.", "verl.experimental.one_step_off_policy.")


@rule(
    id="VE093",
    name="separate-rollout-hybrid",
    summary="a trainer with separate rollout devices needs hybrid_engine=False",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7.1"},
    when={"verl:actor_rollout_ref.hybrid_engine": True},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/experimental/fully_async_policy/fully_async_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/experimental/fully_async_policy/fully_async_trainer.py",
            "The trainer asserts that hybrid_engine is off, and so does the rollouter.",
        ),
        Evidence(
            "verl 0.9.1: verl/experimental/one_step_off_policy/ray_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/experimental/one_step_off_policy/ray_trainer.py",
            "The same assertion.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the engine is meant to share."""
    if not any(name in run.run.program for name in _PROGRAMS) or run.flag(f"verl:{_HYBRID}") is not True:
        return
    yield run.finding(
        f"{run.run.program} has devices for the rollout alone and asserts that hybrid_engine is off",
        (f"verl:{_HYBRID}", "shares the devices of the trainer"),
        changes=(SetOption("verl", _HYBRID, value=False, safe=True),),
    )
