"""Prompts of a generation that do not divide over the data-parallel ranks of Megatron-SWIFT.

## What it checks
generation_batch_size / num_generations prompts must be a multiple of the data-parallel size times micro_batch_size.

## Why it matters
GRPO of Megatron-SWIFT gives each rank whole prompts, and cuts them into micro batches; else it ends with a ValueError
when the ranks are set up.

## Example
    NPROC_PER_NODE=8 megatron rlhf --rlhf_type grpo --global_batch_size 32 --num_generations 8 --micro_batch_size 1

## Instead
    NPROC_PER_NODE=8 megatron rlhf --rlhf_type grpo --global_batch_size 64 --num_generations 8 --micro_batch_size 1

## Fix safety
None is offered: every size in the equation can be changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="SW003",
    name="swift-prompts-not-over-ranks",
    summary="the prompts of a generation do not divide over the ranks of Megatron-SWIFT",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=3.12"},
    when={"fact:group_relative": True, "megatron:global_batch_size": SET},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/megatron/arguments/megatron_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/megatron/arguments/megatron_args.py",
            "validate_batch_dp_alignment raises ValueError unless the prompts divide over data-parallel ranks, and those of a rank into micro batches.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("fact:group_relative") is not True:
        return
    if "megatron" not in run.run.settings:
        return
    prompts = Size.of(run, Term("fact:train_batch_prompts", "prompts of a generation"))
    ranks = Size.of(
        run, Term("fact:dp", "data-parallel ranks"), Term("megatron:micro_batch_size", "micro_batch_size", assume=1)
    )
    yield from multiple(run, prompts, ranks, "each rank takes whole prompts, and whole micro batches of them")
