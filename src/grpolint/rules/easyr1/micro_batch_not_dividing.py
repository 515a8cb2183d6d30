"""A device's part of an update that is not made of whole micro batches.

## What it checks
`worker.actor.global_batch_size * worker.rollout.n`, divided over the ranks (Ulysses ranks share one part), must be a
multiple of `worker.actor.micro_batch_size_per_device_for_update` and not zero.

## Why it matters
The workers stop while they are set up, whether batches are packed dynamically or not.

## Example
    worker.actor.global_batch_size=8 worker.rollout.n=5 trainer.n_gpus_per_node=8 worker.actor.micro_batch_size_per_device_for_update=4

## Instead
    worker.actor.global_batch_size=32 worker.rollout.n=5 trainer.n_gpus_per_node=8 worker.actor.micro_batch_size_per_device_for_update=4

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.easyr1._copies import severity
from grpolint.rules.relations import Size, Term, at_least, multiple

_ACTOR = "easyr1:worker.actor"
_MICRO = "micro_batch_size_per_device_for_update"


@rule(
    id="ER002",
    name="update-micro-batch-not-dividing",
    summary="a device's part of the global batch is no multiple of the micro batch",
    severity=Severity.ERROR,
    frameworks={"easyr1": ">=0.3"},
    evidence=(
        Evidence(
            "EasyR1 0.3.2: verl/workers/fsdp_workers.py",
            "https://github.com/hiyouga/EasyR1/blob/v0.3.2/verl/workers/fsdp_workers.py",
            "Raises ValueError where the global batch of a device is zero or not divisible by the micro batch.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    batch = Size.of(
        run, Term(f"{_ACTOR}.global_batch_size", "global_batch_size"), Term("easyr1:worker.rollout.n", "rollout.n")
    )
    micro = Size.of(run, Term(f"{_ACTOR}.{_MICRO}", _MICRO))
    ranks = Size.of(run, Term("fact:dp", "data-parallel ranks", assume=0))
    if batch is None or micro is None or ranks is None or not ranks.value:
        return
    if batch.value < ranks.value:
        yield from at_least(run, batch, ranks, "no sample is left for some devices", severity=severity(run))
        return
    part = batch.value // ranks.value
    share = Size(part, f"{batch.equation} // {ranks.equation} = {part}", (*batch.places, *ranks.places))
    yield from multiple(run, share, micro, "the workers of EasyR1 stop", severity=severity(run))
