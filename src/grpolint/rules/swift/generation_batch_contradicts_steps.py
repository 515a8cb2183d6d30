"""A generation batch of ms-swift that is no whole number of steps, or contradicts them.

## What it checks
generation_batch_size against the batch of one step: micro batch * processes, under Megatron global_batch_size. With
steps_per_generation it must be exactly that many steps, else a whole number of them.

## Why it matters
The run ends with a ValueError before training.

## Example
    NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --per_device_train_batch_size 4 --steps_per_generation 4 --generation_batch_size 64

## Instead
    NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --per_device_train_batch_size 4 --generation_batch_size 64

## Fix safety
Unsafe: without steps_per_generation the batch stays as written.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="SW002",
    name="swift-generation-batch-contradicts-steps",
    summary="generation_batch_size is not what steps_per_generation makes of the batch",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=4.2"},
    when={"ms-swift:generation_batch_size": SET, "fact:group_relative": True},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/rlhf_trainers/args_mixin.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/rlhf_trainers/args_mixin.py",
            "_init_generation_batch_params raises ValueError where both are given and disagree, or where the batch leaves a remainder.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("fact:group_relative") is not True:
        return
    step = Size.of(run, *_step(run))
    whole = Size.of(run, Term("ms-swift:generation_batch_size", "generation_batch_size"))
    steps = run.integer("ms-swift:steps_per_generation")
    if step is None or whole is None:
        return
    if steps is None:
        yield from multiple(run, whole, step, "ms-swift cuts the generation batch into whole steps")
    elif whole.value != step.value * steps:
        yield run.finding(
            f"{whole.equation} is not {step.equation} * steps_per_generation {steps} = {step.value * steps}",
            ("ms-swift:generation_batch_size", "size of a generation"),
            ("ms-swift:steps_per_generation", "steps of a generation"),
            *step.places,
            changes=(RemoveOption("ms-swift", "steps_per_generation"),),
        )


def _step(run: Inquiry) -> tuple[Term, ...]:
    """What the batch of one step is made of."""
    if "megatron" in run.run.settings:
        return (Term("megatron:global_batch_size", "global_batch_size"),)
    micro = Term("transformers:per_device_train_batch_size", "per_device_train_batch_size")
    return (micro, Term("fact:world_size", "processes"))
