"""Prompts that do not divide over the devices of EasyR1.

## What it checks
`data.mini_rollout_batch_size`, or `data.rollout_batch_size` where it is not set, is a multiple of the number of GPUs.

## Why it matters
A batch of prompts is cut into equal parts, one for each worker. Where it cannot be, EasyR1 stops with the assertion that it
supports equal chunks only.

## Example
    data.rollout_batch_size=512 trainer.n_gpus_per_node=6

## Instead
    data.rollout_batch_size=510 worker.actor.global_batch_size=102 trainer.n_gpus_per_node=6

## Fix safety
None is offered: several sizes have to change together.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.easyr1._copies import severity
from grpolint.rules.relations import Size, Term, multiple

_MINI = "easyr1:data.mini_rollout_batch_size"


@rule(
    id="ER150",
    name="prompts-not-over-devices",
    summary="the prompts of a rollout do not divide over the GPUs",
    severity=Severity.ERROR,
    frameworks={"easyr1": ">=0.3"},
    evidence=(
        Evidence(
            "EasyR1 0.3.2: verl/protocol.py",
            "https://github.com/hiyouga/EasyR1/blob/v0.3.2/verl/protocol.py",
            "chunk asserts that the batch is a multiple of the number of workers; training batches are not padded.",
        ),
        Evidence(
            "hiyouga/EasyR1#44",
            "https://github.com/hiyouga/EasyR1/issues/44",
            "A batch of 512 on 6 GPUs stops with that assertion.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation."""
    if severity(run) is not None:  # a copy with a trainer of its own may repeat prompts before it cuts them
        return
    mini = run.integer(_MINI) is not None
    ref = _MINI if mini else "easyr1:data.rollout_batch_size"
    prompts = Size.of(run, Term(ref, "mini_rollout_batch_size" if mini else "rollout_batch_size"))
    devices = Size.of(run, Term("fact:world_size", "GPUs"))
    yield from multiple(run, prompts, devices, "EasyR1 cuts it into equal parts only")
