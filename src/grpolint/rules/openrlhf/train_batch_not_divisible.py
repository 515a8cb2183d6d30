"""A train batch that DeepSpeed cannot divide.

## What it checks
Without dynamic batching `train.batch_size` must be a multiple of `train.micro_batch_size` times the data-parallel
ranks of the actor.

## Why it matters
OpenRLHF hands the three to DeepSpeed, which stops with an assertion when the engine is made.

## Example
    --train.batch_size 100 --train.micro_batch_size 4 --actor.num_gpus_per_node 8

## Instead
    --train.batch_size 128 --train.micro_batch_size 4 --actor.num_gpus_per_node 8

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="OR008",
    name="train-batch-not-whole-micro-batches",
    summary="train.batch_size is not a multiple of micro batch * data-parallel ranks",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.6"},
    evidence=(
        Evidence(
            "openrlhf 0.11.2: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.2/openrlhf/cli/train_ppo_ray.py",
            "Starts the training of the actor with these sizes.",
        ),
        Evidence(
            "openrlhf 0.11.2: openrlhf/utils/deepspeed/deepspeed.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.2/openrlhf/utils/deepspeed/deepspeed.py",
            "train_batch_size and train_micro_batch_size_per_gpu of the DeepSpeed configuration are these options.",
        ),
        Evidence(
            "deepspeed 0.19.8: deepspeed/runtime/config.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/config.py",
            "_batch_assertion asserts that the sizes agree.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("openrlhf:train.dynamic_batch_enable") is True:
        return
    batch = Size.of(run, Term("openrlhf:train.batch_size", "train.batch_size"))
    part = Size.of(
        run,
        Term("openrlhf:train.micro_batch_size", "train.micro_batch_size"),
        Term("fact:dp", "data-parallel ranks"),
    )
    yield from multiple(run, batch, part, "DeepSpeed refuses a remainder")
