"""Merged LoRA weights that never reach the rollout engine.

## What it checks
LoRA with `model.lora.merge` under an FSDP engine of verl before 0.9.0 (in 0.7.1 with the engine workers only).

## Why it matters
The weights were handed out as an iterator that is consumed after the adapter has been taken out of them again. The rollout
engine got the base model at every synchronisation: all samples come from the initial policy, whatever rank the adapter has.

## Example
    actor_rollout_ref.model.lora_rank=64 actor_rollout_ref.model.lora.merge=True      with verl 0.8.0

## Instead
    actor_rollout_ref.model.lora_rank=64 actor_rollout_ref.model.lora.merge=False

## Fix safety
Unsafe: it changes what the rollout engine samples from, as it should.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import engine_workers, ppo_trainer

_MERGE = "actor_rollout_ref.model.lora.merge"


@rule(
    id="VE026",
    name="merged-adapter-stale",
    summary="lora.merge sends the base model under FSDP before verl 0.9.0",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7.1,<0.9"},
    when={f"verl:{_MERGE}": True, "fact:lora_rank": above(0)},
    evidence=(
        Evidence(
            "verl-project/verl#7014",
            "https://github.com/verl-project/verl/pull/7014",
            "The lazy iterator is consumed after the merge has been undone, so that base weights are sent; fixed in 0.9.0.",
        ),
        Evidence(
            "verl 0.8.0: verl/workers/engine/fsdp/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/workers/engine/fsdp/transformer_impl.py",
            "get_per_tensor_param leaves the merging context before its generator reads the tensors.",
        ),
        Evidence(
            "verl-project/verl#6782",
            "https://github.com/verl-project/verl/issues/6782",
            "An adapter of rank 64 that never ended its answers; the cause was the sync of merged weights, not the rank.",
        ),
    ),
    aliases=("D08", "N05", "D19"),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for a merged adapter under FSDP."""
    if not run.is_set(f"verl:{_MERGE}"):  # off by default
        return
    if run.flag(f"verl:{_MERGE}") is not True or not run.number("fact:lora_rank"):
        return
    if not engine_workers(run) or not str(run.known("fact:engine")).startswith("fsdp"):
        return
    version = run.run.settings["verl"].version.text
    yield run.finding(
        f"lora.merge sends the base model without the adapter under FSDP in verl {version}: rollouts stay on the initial policy",
        (f"verl:{_MERGE}", "undone before the weights are read"),
        ("fact:lora_rank", "LoRA"),
        ("fact:engine", "FSDP"),
        notes=("fixed in verl 0.9.0",),
        changes=(SetOption("verl", _MERGE, value=False),),
    )
