"""TRL's generation batch is not a whole number of steps.

## What it checks
`generation_batch_size` must be a multiple of `per_device_train_batch_size * processes`.

## Why it matters
GRPOConfig refuses it on every rank, after the job has started.

## Example
    GRPOConfig(generation_batch_size=40, per_device_train_batch_size=16)      on 1 GPU

## Instead
    GRPOConfig(generation_batch_size=48, per_device_train_batch_size=16)      on 1 GPU

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="TR004",
    name="generation-batch-not-whole-steps",
    summary="generation_batch_size is not a multiple of the batch of all processes",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.19"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "GRPOConfig.__post_init__ raises ValueError if generation_batch_size leaves a remainder.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    whole = Size.of(run, Term("trl:generation_batch_size", "generation_batch_size"))
    if whole is None:
        return
    step = Size.of(
        run,
        Term("transformers:per_device_train_batch_size", "per_device_train_batch_size"),
        Term("fact:world_size", "processes"),
    )
    yield from multiple(run, whole, step, "TRL cuts the generation batch into whole steps")
