"""Devices that the tensor parallel size of the rollout does not divide.

## What it checks
`trainer.nnodes * trainer.n_gpus_per_node` must be a multiple of `worker.rollout.tensor_parallel_size`. Its default is 2.

## Why it matters
The workers stop while the engine is set up: a run on one device, or on three, needs another size.

## Example
    trainer.n_gpus_per_node=1

## Instead
    trainer.n_gpus_per_node=1 worker.rollout.tensor_parallel_size=1

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
    id="ER005",
    name="easyr1-rollout-parallel-not-dividing",
    summary="the rollout's tensor parallel size does not divide the devices",
    severity=Severity.ERROR,
    frameworks={"easyr1": ">=0.3"},
    evidence=(
        Evidence(
            "EasyR1 0.3.2: verl/workers/fsdp_workers.py",
            "https://github.com/hiyouga/EasyR1/blob/v0.3.2/verl/workers/fsdp_workers.py",
            "Raises ValueError where the number of devices is not divisible by the tensor parallel size.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    devices = Size.of(run, Term("fact:world_size", "GPUs"))
    tensor = Size.of(run, Term("easyr1:worker.rollout.tensor_parallel_size", "tensor_parallel_size"))
    yield from multiple(run, devices, tensor, "the rollout engine is not set up", severity=severity(run))
