"""A rollout that is not cut into whole updates.

## What it checks
`data.rollout_batch_size` must be a multiple of `worker.actor.global_batch_size`, and of that of the critic where there is one.
Both count prompts.

## Why it matters
The trainer refuses to start with it.

## Example
    data.rollout_batch_size=512 worker.actor.global_batch_size=96

## Instead
    data.rollout_batch_size=512 worker.actor.global_batch_size=128

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.easyr1._copies import severity
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="ER001",
    name="rollout-batch-not-whole-updates",
    summary="rollout_batch_size is no multiple of global_batch_size",
    severity=Severity.ERROR,
    frameworks={"easyr1": ">=0.3"},
    evidence=(
        Evidence(
            "EasyR1 0.3.2: verl/trainer/ray_trainer.py",
            "https://github.com/hiyouga/EasyR1/blob/v0.3.2/verl/trainer/ray_trainer.py",
            "Raises ValueError where the rollout batch is not divisible by the global batch of the actor or the critic.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the actor, and for the critic."""
    for role in ("actor", "critic"):
        if role == "critic" and run.known("fact:uses_critic") is not True:
            continue
        yield from multiple(
            run,
            Size.of(run, Term("easyr1:data.rollout_batch_size", "rollout_batch_size")),
            Size.of(run, Term(f"easyr1:worker.{role}.global_batch_size", f"{role}.global_batch_size")),
            "EasyR1 refuses to start",
            severity=severity(run),
        )
