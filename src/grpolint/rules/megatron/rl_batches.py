"""Samples that do not fill whole batches in Megatron-RL.

## What it checks
With `--perform-rl-step`: prompts per step * group size * iterations must be a multiple of `--global-batch-size`,
and `--save-interval` and `--exit-interval` multiples of the steps which that makes.

## Why it matters
Megatron stops with an assertion on every rank. The defaults, 32 prompts in groups of 2 for 2 iterations, make 128
samples.

## Example
    --perform-rl-step --grpo-prompts-per-step 32 --grpo-group-size 8 --grpo-iterations 1 --global-batch-size 192

## Instead
    --perform-rl-step --grpo-prompts-per-step 32 --grpo-group-size 8 --grpo-iterations 1 --global-batch-size 128

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="MG069",
    name="rl-samples-not-whole-batches",
    summary="the samples of Megatron-RL do not fill whole global batches",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.15"},
    when={"megatron:perform_rl_step": True},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts both where perform_rl_step is on.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("megatron:perform_rl_step") is not True:
        return
    samples = Size.of(
        run,
        Term("megatron:grpo_prompts_per_step", "prompts"),
        Term("megatron:grpo_group_size", "group size"),
        Term("megatron:grpo_iterations", "iterations"),
    )
    batch = Size.of(run, Term("megatron:global_batch_size", "global-batch-size"))
    if samples is None or batch is None or batch.value < 1:
        return
    yield from multiple(run, samples, batch, "every sample is to be trained on")
    steps = samples.value // batch.value
    if samples.value % batch.value or steps < 2:
        return
    part = Size(
        steps, f"{samples.value} samples / {batch.value} = {steps} steps of a rollout", (*samples.places, *batch.places)
    )
    for key in ("save_interval", "exit_interval"):
        if run.is_set(f"megatron:{key}"):
            whole = Size.of(run, Term(f"megatron:{key}", key.replace("_", "-")))
            yield from multiple(run, whole, part, "samples in between cannot be saved")
