"""Experts of the model that do not divide over the expert parallel ranks.

## What it checks
For a trainer on Megatron that takes the model from a checkpoint: the routed experts of the model against the expert parallel size,
and that the model has experts at all where that size is above 1. Megatron's own arguments are MG005.

## Why it matters
Megatron Core refuses the model while it is built, after the workers are placed.

## Example
    actor_rollout_ref.model.path=Qwen/Qwen3-8B actor_rollout_ref.actor.megatron.expert_model_parallel_size=8

## Instead
    actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B actor_rollout_ref.actor.megatron.expert_model_parallel_size=8

## Fix safety
None is offered: which size fits depends on the devices.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.relations import divisors


@rule(
    id="MO040",
    name="experts-of-model-not-divisible",
    summary="the experts of the model do not divide over the expert parallel ranks",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4", "skyrl": ""},
    when={"fact:engine": "megatron", "fact:ep": above(1)},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/core/transformer/transformer_config.py",
            "TransformerConfig raises ValueError for expert parallelism without experts.",
        ),
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/core/transformer/moe/moe_layer.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/core/transformer/moe/moe_layer.py",
            "A layer asserts that the experts are a multiple of the expert parallel size.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    size = run.integer("fact:ep")
    if size is None or size < 2 or run.text("fact:engine") != "megatron" or "megatron" in run.run.settings:
        return
    moe = run.known("fact:moe")
    if moe is None:
        return
    experts = run.integer("fact:experts") if moe else 0
    if experts is None or (experts and experts % size == 0):
        return
    name = run.text("fact:model")
    what = f"{experts} experts of {name} are not a multiple of" if experts else f"{name} has no experts for"
    yield run.finding(
        f"{what} expert parallel size {size}: Megatron refuses the model",
        ("fact:ep", f"{size} ranks"),
        ("fact:model", f"{experts} experts" if experts else "dense"),
        help="sizes that fit: " + ", ".join(str(n) for n in divisors(experts, size - 1))
        if experts
        else "leave expert parallelism off",
    )
