"""Micro batches packed by tokens for the update and counted for the log-probabilities, or the other way round.

## What it checks
`actor.use_dynamic_bsz` and `rollout.log_prob_use_dynamic_bsz` differ, with the workers over engines: always since
verl 0.8, in 0.7 where they are asked for.

## Why it matters
The worker asserts that both are equal while it builds the model: the run stops after Ray has started and before the
first step.

## Example
    actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.rollout.log_prob_use_dynamic_bsz=False

## Instead
    actor_rollout_ref.actor.use_dynamic_bsz=True

## Fix safety
Safe: the run does not start otherwise. The default of the second option follows the first.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import engine_workers, ppo_trainer

_ACTOR = "actor_rollout_ref.actor.use_dynamic_bsz"
_LOG_PROBS = "actor_rollout_ref.rollout.log_prob_use_dynamic_bsz"


@rule(
    id="VE050",
    name="dynamic-batches-differ",
    summary="use_dynamic_bsz of the actor and of the log-probabilities differ",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7"},
    when={"verl:actor_rollout_ref.rollout.log_prob_use_dynamic_bsz": SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine_workers.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine_workers.py",
            "The actor worker asserts that the two switches are equal before it builds its engine.",
        ),
        Evidence(
            "verl 0.7.1: verl/workers/engine_workers.py",
            "https://github.com/verl-project/verl/blob/v0.7.1/verl/workers/engine_workers.py",
            "The same assertion, where the legacy workers are switched off.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if they differ."""
    if not run.is_set(f"verl:{_LOG_PROBS}") or not engine_workers(run):
        return
    update, scores = run.flag(f"verl:{_ACTOR}"), run.flag(f"verl:{_LOG_PROBS}")
    if update is None or scores is None or update == scores:
        return
    yield run.finding(
        f"use_dynamic_bsz is {str(update).lower()} and log_prob_use_dynamic_bsz {str(scores).lower()}: "
        "the worker asserts that they are equal",
        (f"verl:{_LOG_PROBS}", "differs from the actor's"),
        f"verl:{_ACTOR}",
        changes=(SetOption("verl", _LOG_PROBS, value=update, safe=True),),
    )
