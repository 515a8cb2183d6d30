"""TRL's generation batch given in two ways.

## What it checks
`generation_batch_size` and `steps_per_generation` are both set.

## Why it matters
Each follows from the other; GRPOConfig refuses the pair.

## Example
    GRPOConfig(generation_batch_size=64, steps_per_generation=4)

## Instead
    GRPOConfig(generation_batch_size=64)

## Fix safety
Unsafe: the one that stays decides how often the policy generates.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="TR002",
    name="generation-batch-twice",
    summary="generation_batch_size and steps_per_generation are both set",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.18"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "GRPOConfig.__post_init__ raises ValueError if both are given.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if both are numbers."""
    whole, steps = run.integer("trl:generation_batch_size"), run.integer("trl:steps_per_generation")
    if whole is not None and steps is not None:
        yield run.finding(
            f"generation_batch_size {whole} and steps_per_generation {steps} are both set: TRL refuses the pair",
            ("trl:steps_per_generation", "follows from the batch size"),
            "trl:generation_batch_size",
            changes=(RemoveOption("trl", "steps_per_generation"),),
        )
