"""A rollout that is not made of whole micro batches for log probabilities.

## What it checks
`data.rollout_batch_size * worker.rollout.n` must be a multiple of
`worker.actor.micro_batch_size_per_device_for_experience`, and of that of the critic where there is one.

## Why it matters
The trainer refuses to start with it.

## Example
    data.rollout_batch_size=100 worker.rollout.n=5 worker.actor.micro_batch_size_per_device_for_experience=16

## Instead
    data.rollout_batch_size=128 worker.rollout.n=5 worker.actor.micro_batch_size_per_device_for_experience=16

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.easyr1._copies import severity
from grpolint.rules.relations import Size, Term, multiple

_MICRO = "micro_batch_size_per_device_for_experience"


@rule(
    id="ER003",
    name="experience-micro-batch-not-dividing",
    summary="the samples of a rollout are no multiple of the micro batch for experience",
    severity=Severity.ERROR,
    frameworks={"easyr1": ">=0.3"},
    evidence=(
        Evidence(
            "EasyR1 0.3.2: verl/trainer/ray_trainer.py",
            "https://github.com/hiyouga/EasyR1/blob/v0.3.2/verl/trainer/ray_trainer.py",
            "Raises ValueError where the samples of a rollout are not divisible by the micro batch for experience.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the actor, and for the critic."""
    for role in ("actor", "critic"):
        if role == "critic" and run.known("fact:uses_critic") is not True:
            continue
        samples = Size.of(
            run,
            Term("easyr1:data.rollout_batch_size", "rollout_batch_size"),
            Term("easyr1:worker.rollout.n", "rollout.n"),
        )
        micro = Size.of(run, Term(f"easyr1:worker.{role}.{_MICRO}", f"{role}.{_MICRO}"))
        yield from multiple(run, samples, micro, "EasyR1 refuses to start", severity=severity(run))
