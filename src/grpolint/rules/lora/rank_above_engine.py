"""A LoRA rank that the rollout engine does not accept.

## What it checks
The rank of the adapter in a verl run with vLLM against the largest rank that vLLM serves.

## Why it matters
verl sets the limit of the engine from the rank itself, over what `engine_kwargs` says, and vLLM allows 512 at most.

## Example
    actor_rollout_ref.model.lora_rank=1024 actor_rollout_ref.rollout.name=vllm

## Instead
    actor_rollout_ref.model.lora_rank=256 actor_rollout_ref.rollout.name=vllm

## Fix safety
None is offered: a smaller rank is for the author to choose.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer

_LARGEST = 512
"""Largest max_lora_rank that vLLM allows since 0.8."""


@rule(
    id="LO001",
    name="lora-rank-above-engine",
    summary="LoRA rank above what the rollout engine accepts",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4"},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/lora.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/lora.py",
            "max_lora_rank is one of 1, 8, 16, 32, 64, 128, 256, 320 and 512.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/rollout/vllm_rollout/utils.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/rollout/vllm_rollout/utils.py",
            "get_vllm_max_lora_rank takes the next allowed value and raises ValueError above the largest; 0.6 "
            "asserted 512.",
        ),
    ),
    aliases=("D08", "N05"),
    when={"fact:lora_rank": above(0)},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    rank = run.integer("fact:lora_rank")
    if (
        not rank
        or run.text("fact:rollout_engine") != "vllm"
        or run.flag("verl:actor_rollout_ref.model.lora.merge") is True
    ):
        return
    if rank <= _LARGEST:
        return
    yield run.finding(
        f"LoRA rank {rank} > {_LARGEST}, the largest rank that vLLM accepts",
        ("fact:lora_rank", f"rank {rank}"),
        help=f"use a rank of at most {_LARGEST}",
    )
