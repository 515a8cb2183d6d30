"""An adapter for an SGLang that takes none.

## What it checks
LoRA with `rollout.name=sglang` in verl before 0.8, where the adapter is not merged.

## Why it matters
The server is started without LoRA. The synchronisation sends the tensors of the adapter under names that it does not know: a crash, or
samples of the base model for the whole run.

## Example
    actor_rollout_ref.rollout.name=sglang actor_rollout_ref.model.lora_rank=32      with verl 0.7

## Instead
    actor_rollout_ref.rollout.name=vllm actor_rollout_ref.model.lora_rank=32

## Fix safety
None is offered: another engine or another release are a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="LO023",
    name="sglang-without-adapters",
    summary="LoRA with SGLang in verl before 0.8",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4,<0.8"},
    when={"fact:lora_rank": above(0), "fact:rollout_engine": "sglang"},
    evidence=(
        Evidence(
            "verl-project/verl#1895",
            "https://github.com/verl-project/verl/issues/1895",
            "LoRA with SGLang came with #5564 and #5769, which 0.8.0 is the first release to have.",
        ),
        Evidence(
            "verl-project/verl#5220",
            "https://github.com/verl-project/verl/pull/5220",
            "Rollouts silently run without the adapter: SGLang applies one only where a request names it.",
        ),
        Evidence(
            "verl 0.7.1: verl/workers/rollout/sglang_rollout/async_sglang_server.py",
            "https://github.com/verl-project/verl/blob/v0.7.1/verl/workers/rollout/sglang_rollout/async_sglang_server.py",
            "The server is made without enable_lora, whatever the rank.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("fact:lora_sync") == "adapter" and run.text("fact:rollout_engine") == "sglang":
        yield run.finding(
            "verl before 0.8 starts SGLang without LoRA: the adapter never reaches the samples",
            ("fact:rollout_engine", "SGLang"),
            ("fact:lora_rank", "an adapter"),
            help="use vLLM, or verl 0.8 or later",
        )
