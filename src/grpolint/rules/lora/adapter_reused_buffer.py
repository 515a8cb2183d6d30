"""An adapter that lies in a buffer of its courier.

## What it checks
verl 0.8 with LoRA that is not merged, vLLM, and `free_cache_engine` (the default).

## Why it matters
Tensors of the adapter are handed to vLLM as views into the buffer of the transfer, which the next bucket overwrites. A run on one GPU is
reported to stop with an illegal memory access at the second rollout. vLLM copies adapters to the host when it takes them, so that not
every setup need see it.

## Example
    actor_rollout_ref.model.lora_rank=32 actor_rollout_ref.rollout.name=vllm      with verl 0.8.0

## Instead
    actor_rollout_ref.model.lora_rank=32 actor_rollout_ref.rollout.name=vllm      with verl 0.9

## Fix safety
None is offered: merging is wrong under FSDP in this release (VE026).
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="LO021",
    name="adapter-in-reused-buffer",
    summary="an unmerged adapter may crash vLLM at the second rollout in verl 0.8",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"verl": ">=0.8,<0.9"},
    when={"fact:lora_rank": above(0), "fact:lora_sync": "adapter", "fact:rollout_engine": "vllm"},
    evidence=(
        Evidence(
            "verl-project/verl#6454",
            "https://github.com/verl-project/verl/issues/6454",
            "Illegal memory access on every step after the first with verl 0.8.0, lora.merge off and free_cache_engine on.",
        ),
        Evidence(
            "verl-project/verl#6688",
            "https://github.com/verl-project/verl/pull/6688",
            "The tensors are views into a buffer that the next bucket overwrites; they are cloned from 0.9.0 on.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("fact:lora_sync") != "adapter" or run.text("fact:rollout_engine") != "vllm":
        return
    if run.known("fact:rollout_sleep") is not True or run.known("fact:rollout_colocated") is not True:
        return
    yield run.finding(
        "verl 0.8 hands vLLM an adapter in a buffer that it uses again: reported to end in an illegal memory access at the second rollout",
        ("fact:lora_rank", "an adapter"),
        ("fact:rollout_engine", "vLLM"),
        ("fact:rollout_sleep", "memory is given back"),
        help="use verl 0.9 or later",
    )
