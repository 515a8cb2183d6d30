"""A LoRA adapter that never reaches a rollout engine on other devices.

## What it checks
LoRA without `lora.merge` under FSDP, where the rollout engine runs on other devices and its weights travel through the
checkpoint engine (`rollout.checkpoint_engine.backend` other than `naive`).

## Why it matters
On this path verl asks its engine for the base weights and for nothing else. Every synchronisation sends the frozen base,
the engine accepts it, and all samples come from the initial policy. Nothing fails.

## Example
    trainer.v1.trainer_mode=separate_async actor_rollout_ref.model.lora_rank=32 actor_rollout_ref.rollout.checkpoint_engine.backend=nccl

## Instead
    trainer.v1.trainer_mode=separate_async actor_rollout_ref.model.lora_rank=32 actor_rollout_ref.model.lora.merge=True

## Fix safety
Unsafe: it changes what the rollout engine samples from, as it should. Merging is right since verl 0.9.0.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import Change, SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.values import plain
from grpolint.versions import satisfies


@rule(
    id="VE029",
    name="adapter-never-sent",
    summary="a LoRA adapter is not sent to a rollout engine on other devices",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.8"},
    when={"fact:lora_rank": above(0), "fact:lora_sync": "adapter", "fact:rollout_colocated": False},
    evidence=(
        Evidence(
            "verl-project/verl#7495",
            "https://github.com/verl-project/verl/issues/7495",
            "Every sync shipped the frozen base and the rollout stayed on the initial policy; seen with 0.8.0.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/engine_workers.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine_workers.py",
            "update_weights calls get_per_tensor_param with its defaults, which for LoRA select the base weights.",
        ),
    ),
    aliases=("D19", "N09"),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if an adapter would have to travel."""
    if plain(run.ask("fact:rollout_colocated")) is not False or run.text("fact:lora_sync") != "adapter":
        return
    if not str(run.known("fact:engine")).startswith("fsdp"):
        return
    if run.text("fact:weight_sync") in (None, "naive", "delta_sharded"):
        return
    version = run.run.settings["verl"].version.text
    merge: tuple[Change, ...] = ()
    if satisfies(version, ">=0.9"):
        merge = (SetOption("verl", "actor_rollout_ref.model.lora.merge", value=True),)
    yield run.finding(
        f"the LoRA adapter never reaches the rollout engine in verl {version}: {run.text('fact:weight_sync')} sends the base alone",
        ("fact:weight_sync", "carries the base weights"),
        ("fact:lora_rank", "adapter"),
        help="" if merge else "train on shared devices, or use verl 0.9 or later with lora.merge",
        changes=merge,
    )
