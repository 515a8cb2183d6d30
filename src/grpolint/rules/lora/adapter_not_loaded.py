"""An adapter that the server never loads.

## What it checks
`rollout.mode` async with vLLM and LoRA in verl before 0.6.1.

## Why it matters
The server is made without adapters, and requests name none: it stops when weights are handed over, or all samples come from the base
model, while the trainer moves the adapter.

## Example
    actor_rollout_ref.rollout.mode=async actor_rollout_ref.model.lora_rank=32      with verl 0.6.0

## Instead
    actor_rollout_ref.rollout.mode=async actor_rollout_ref.model.lora_rank=32      with verl 0.6.1

## Fix safety
None is offered: the remedy is another release.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="LO022",
    name="adapter-not-loaded",
    summary="LoRA with the asynchronous vLLM server of verl before 0.6.1",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4,<0.6.1"},
    when={"fact:lora_rank": above(0), "verl:actor_rollout_ref.rollout.mode": "async"},
    evidence=(
        Evidence(
            "verl-project/verl#3821",
            "https://github.com/verl-project/verl/pull/3821",
            "Before it the server never loaded the adapter; released in 0.6.1.",
        ),
        Evidence(
            "verl-project/verl#3639",
            "https://github.com/verl-project/verl/pull/3639",
            "Loading of adapters in the asynchronous server.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if not run.integer("fact:lora_rank") or run.text("fact:rollout_engine") != "vllm":
        return
    if run.text("verl:actor_rollout_ref.rollout.mode") == "async":
        yield run.finding(
            "verl before 0.6.1 never loads the adapter into its asynchronous vLLM server: it stops when weights are handed over, or "
            "samples come from the base model",
            ("fact:lora_rank", "an adapter"),
            ("verl:actor_rollout_ref.rollout.mode", "the server"),
            help="use verl 0.6.1 or later",
        )
