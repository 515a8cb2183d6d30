"""A global batch that leaves a remainder.

## What it checks
`--global-batch-size` must be a multiple of `--micro-batch-size` times the data-parallel ranks, unless it is ramped up
or may shrink.

## Why it matters
Megatron stops with an assertion on every rank, after the job has started.

## Example
    torchrun --nproc_per_node 8 pretrain_gpt.py --micro-batch-size 4 --global-batch-size 100

## Instead
    torchrun --nproc_per_node 8 pretrain_gpt.py --micro-batch-size 4 --global-batch-size 128

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="MG002",
    name="global-batch-not-divisible",
    summary="global-batch-size is not a multiple of micro batch * data-parallel ranks",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.7"},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/core/num_microbatches_calculator.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/core/num_microbatches_calculator.py",
            "ConstantNumMicroBatchesCalculator asserts that nothing is left.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if (
        run.known("megatron:rampup_batch_size") is not None
        or run.flag("megatron:decrease_batch_size_if_needed") is True
    ):
        return
    batch = Size.of(run, Term("megatron:global_batch_size", "global-batch-size"))
    if batch is None:
        return
    part = Size.of(run, Term("megatron:micro_batch_size", "micro-batch-size"), Term("fact:dp", "data-parallel ranks"))
    yield from multiple(run, batch, part, "a step is a whole number of micro batches")
