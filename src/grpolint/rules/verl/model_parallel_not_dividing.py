"""Megatron's model parallel sizes do not divide the devices of a verl run.

## What it checks
With the Megatron strategy the number of devices must be a multiple of tensor * pipeline * context parallel size.

## Why it matters
The run is refused after Ray has started; with dynamic batching, where verl does not look, Megatron cannot build its
process groups.

## Example
    trainer.n_gpus_per_node=8 actor_rollout_ref.actor.megatron.tensor_model_parallel_size=3

## Instead
    trainer.n_gpus_per_node=8 actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4

## Fix safety
None is offered: which size to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="VE009",
    name="model-parallel-not-dividing-gpus",
    summary="tensor * pipeline * context parallel size does not divide the GPUs",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/utils/config.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/utils/config.py",
            "validate_config asserts that n_gpus is a multiple of the model parallel size times the context parallel size.",
        ),
    ),
    when={"verl:actor_rollout_ref.actor.strategy": "megatron"},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if there is a remainder."""
    if run.text("verl:actor_rollout_ref.actor.strategy") != "megatron":
        return
    sizes = {name: run.integer(f"fact:{name}") for name in ("tp", "pp", "cp")}
    gpus = run.integer("fact:world_size")
    product = 1
    for size in sizes.values():
        product *= size or 1
    if gpus is None or product < 1 or gpus % product == 0:
        return
    equation = " * ".join(f"{name} {size}" for name, size in sizes.items() if size and size > 1)
    yield run.finding(
        f"{gpus} GPUs are not a multiple of {equation} = {product}",
        *((f"fact:{name}", "") for name, size in sizes.items() if size and size > 1),
        ("fact:world_size", f"{gpus} GPUs"),
        help="choose parallel sizes whose product divides the number of GPUs",
    )
