"""A generation of ms-swift that cuts a group.

## What it checks
The completions of one generation: generation_batch_size, else micro batch * processes * steps_per_generation (or
gradient_accumulation_steps); under Megatron global_batch_size * steps_per_generation. They must be a multiple of
num_generations.

## Why it matters
The run ends with a ValueError once the arguments are read, on every node, after the machines were taken. One device
given to a rollout server is enough to break what fitted before.

## Example
    NPROC_PER_NODE=7 swift rlhf --rlhf_type grpo --per_device_train_batch_size 1 --num_generations 8

## Instead
    NPROC_PER_NODE=7 swift rlhf --rlhf_type grpo --per_device_train_batch_size 8 --num_generations 8

## Fix safety
None is offered: any of the factors can be changed, and each changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="SW001",
    name="swift-generation-batch-not-divisible",
    summary="a generation of ms-swift is not a multiple of num_generations",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=3.7"},
    when={"fact:group_relative": True},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/rlhf_trainers/args_mixin.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/rlhf_trainers/args_mixin.py",
            "_init_generation_batch_params raises ValueError unless num_generations divides the completions of a generation.",
        ),
        Evidence(
            "ms-swift 4.6.0: swift/megatron/arguments/megatron_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/megatron/arguments/megatron_args.py",
            "resolve_generation_batch_size does the same with global_batch_size under Megatron.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if groups are cut."""
    if run.known("fact:group_relative") is not True:
        return
    groups = Size.of(run, Term("ms-swift:num_generations", "num_generations", "size of a group"))
    if groups is None or groups.value < 2:
        return
    whole = Size.of(run, Term("ms-swift:generation_batch_size", "generation_batch_size")) or Size.of(run, *_terms(run))
    if whole is not None:
        below = whole.value - whole.value % groups.value
        near = f"{below} or {below + groups.value}" if below else str(groups.value)
        advice = f"make it a multiple of {groups.value}: {near}"
        yield from multiple(run, whole, groups, "ms-swift generates whole groups only", help=advice)


def _terms(run: Inquiry) -> tuple[Term, ...]:
    """What the size of a generation is made of."""
    steps = Term("ms-swift:steps_per_generation", "steps_per_generation", assume=1)
    if "megatron" in run.run.settings:
        return (Term("megatron:global_batch_size", "global_batch_size"), steps)
    if run.integer(steps.ref) is None:
        steps = Term("transformers:gradient_accumulation_steps", "gradient_accumulation_steps")
    micro = Term("transformers:per_device_train_batch_size", "per_device_train_batch_size")
    return (micro, Term("fact:world_size", "processes"), steps)
