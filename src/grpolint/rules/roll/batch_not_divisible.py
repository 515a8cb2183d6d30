"""Rollout_batch_size is not a multiple of Megatron's data parallel size.

## What it checks
With `actor_train.strategy_args.strategy_name: megatron_train`, the devices of `actor_train.device_mapping` must be a
multiple of tensor * pipeline * context parallel size, and `rollout_batch_size` of what is left as data parallel size.

## Why it matters
ROLL raises ValueError while it reads the configuration.

## Example
    rollout_batch_size: 60
    actor_train:
      strategy_args: {strategy_name: megatron_train, strategy_config: {tensor_model_parallel_size: 1}}
      device_mapping: list(range(0,8))

## Instead
    rollout_batch_size: 64
    actor_train:
      strategy_args: {strategy_name: megatron_train, strategy_config: {tensor_model_parallel_size: 1}}
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
    id="RO001",
    name="rollout-batch-not-divisible",
    summary="rollout_batch_size is not a multiple of Megatron's data parallel size",
    severity=Severity.ERROR,
    frameworks={"roll": ">=0.1"},
    when={"fact:engine": "megatron", "fact:rollout_engine": SET},
    evidence=(
        Evidence(
            "roll 0.3.0: roll/utils/config_utils.py",
            "https://github.com/alibaba/ROLL/blob/v0.3.0/roll/utils/config_utils.py",
            "validate_megatron_batch_size raises ValueError for devices and for a rollout batch that leave a remainder.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if a remainder is left."""
    if run.text("fact:engine") != "megatron" or run.text("fact:rollout_engine") is None:
        return
    devices = Size.of(run, Term("fact:world_size", "devices", "devices of the trainer"))
    sizes = Size.of(
        run,
        Term("fact:tp", "tensor", "tensor parallel", 1),
        Term("fact:pp", "pipeline", "pipeline parallel", 1),
        Term("fact:cp", "context", "context parallel", 1),
    )
    if devices is None or sizes is None or sizes.value < 1:
        return
    if devices.value % sizes.value:
        yield from multiple(run, devices, sizes, "ROLL finds no data parallel size")
        return
    batch = run.integer("roll:rollout_batch_size")
    ranks = devices.value // sizes.value
    if batch is None or batch < 1 or batch % ranks == 0:
        return
    yield run.finding(
        f"rollout_batch_size {batch} is not a multiple of the data parallel size {ranks} = {devices.value} devices / {sizes.value}",
        ("roll:rollout_batch_size", "prompts of a step"),
        *devices.places,
        *(sizes.places if sizes.value > 1 else ()),
        help=f"set rollout_batch_size to {max(1, batch // ranks) * ranks} or {(batch // ranks + 1) * ranks}",
    )
