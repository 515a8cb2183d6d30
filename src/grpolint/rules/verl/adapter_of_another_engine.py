"""A LoRA adapter that the training engine does not look for.

## What it checks
`model.lora_rank` with Megatron, whose engine reads `model.lora.rank`; or `model.lora.rank` with FSDP, whose engine
reads `model.lora_rank`.

## Why it matters
The engine finds a rank of 0 and trains all parameters. The trainer and the rollout engine do take the other name for
an adapter: the reference policy then is the trained policy itself, so that the KL term is zero.

## Example
    actor_rollout_ref.actor.strategy=megatron actor_rollout_ref.model.lora_rank=32

## Instead
    actor_rollout_ref.actor.strategy=megatron actor_rollout_ref.model.lora.rank=32

## Fix safety
Unsafe: it changes what is trained, to what was written.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_NAMES = (
    (("megatron",), "actor_rollout_ref.model.lora.rank", "actor_rollout_ref.model.lora_rank"),
    (("fsdp", "fsdp2"), "actor_rollout_ref.model.lora_rank", "actor_rollout_ref.model.lora.rank"),
)
"""Engines, the name that they read, and the name that they do not."""


@rule(
    id="VE098",
    name="adapter-of-another-engine",
    summary="the LoRA rank is given under the name of another training engine",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7.1"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/config/megatron_peft.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/megatron_peft.py",
            "The Megatron engine adapts the model only for a rank in model.lora.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/engine/fsdp/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/fsdp/transformer_impl.py",
            "The FSDP engine adapts the model only for model.lora_rank.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/ray_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/ray_trainer.py",
            "ref_in_actor is true for either name: the reference is the actor without its adapter.",
        ),
    ),
    when={"|".join(f"verl:{other}" for *_, other in _NAMES): SET},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if only the other engine's name is given."""
    for engines, own, other in _NAMES:
        rank = run.integer(f"verl:{other}") if run.is_set(f"verl:{other}") else None
        if rank is None or rank < 1 or run.text("fact:engine") not in engines:
            continue
        if (run.integer(f"verl:{own}") or 0) > 0:
            continue
        yield run.finding(
            f"{other} {rank} is not read by {engines[0]}, which looks for {own}: all parameters are trained",
            (f"verl:{other}", "not read"),
            ("fact:engine", "trains"),
            changes=(SetOption("verl", own, rank),),
            severity=None if run.run.trainer == "verl" else Severity.WARNING,
        )
