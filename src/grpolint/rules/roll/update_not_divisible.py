"""The samples of a rank are not a multiple of its update.

## What it checks
In the RLVR pipeline `rollout_batch_size * num_return_sequences_in_group` over the data parallel size must be a
multiple of `per_device_train_batch_size * gradient_accumulation_steps` of `actor_train`, unless batches are dynamic.

## Why it matters
The assertion stands where the first rollouts are trained on.

## Example
    rollout_batch_size: 64
    num_return_sequences_in_group: 8
    actor_train:
      training_args: {per_device_train_batch_size: 1, gradient_accumulation_steps: 48}
      device_mapping: list(range(0,8))

## Instead
    rollout_batch_size: 64
    num_return_sequences_in_group: 8
    actor_train:
      training_args: {per_device_train_batch_size: 1, gradient_accumulation_steps: 32}
      device_mapping: list(range(0,8))

## Fix safety
Unsafe: another batch size changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="RO002",
    name="samples-not-divisible-over-updates",
    summary="the samples of a rank are not a multiple of its update",
    severity=Severity.ERROR,
    frameworks={"roll": ">=0.1"},
    when={"fact:train_batch_prompts": SET, "fact:dynamic_batch": False},
    evidence=(
        Evidence(
            "roll 0.3.0: roll/distributed/scheduler/protocol.py",
            "https://github.com/alibaba/ROLL/blob/v0.3.0/roll/distributed/scheduler/protocol.py",
            "make_iterator asserts that the batch is a multiple of the mini batch.",
        ),
        Evidence(
            "roll 0.3.0: roll/pipeline/base_worker.py",
            "https://github.com/alibaba/ROLL/blob/v0.3.0/roll/pipeline/base_worker.py",
            "train_step asks it for per_device_train_batch_size * gradient_accumulation_steps samples.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if samples are left over."""
    if run.flag("fact:dynamic_batch") is not False or run.integer("fact:train_batch_prompts") is None:
        return
    whole = Size.of(
        run,
        Term("roll:rollout_batch_size", "rollout_batch_size", "prompts"),
        Term("roll:num_return_sequences_in_group", "num_return_sequences_in_group", "responses each"),
    )
    part = Size.of(
        run,
        Term("fact:dp", "data parallel size", "data parallel"),
        Term("fact:micro_batch_per_gpu", "per_device_train_batch_size", "samples of a forward pass"),
        Term("fact:gradient_accumulation", "gradient_accumulation_steps", "forward passes of an update"),
    )
    yield from multiple(run, whole, part, "ROLL stops when it trains on the first rollouts")
