"""Converted weights that are not named.

## What it checks
`megatron.use_dist_checkpointing` is on and `dist_checkpointing_path` null, of the actor under Megatron.

## Why it matters
The worker loads the weights from that folder and has none: in the released package the run stops when the model is
made.

## Example
    actor_rollout_ref.actor.megatron.use_dist_checkpointing=True

## Instead
    actor_rollout_ref.actor.megatron.use_dist_checkpointing=True
    actor_rollout_ref.actor.megatron.dist_checkpointing_path=/models/qwen-mcore

## Fix safety
None is offered: only you know the folder.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_SWITCH = "actor_rollout_ref.actor.megatron.use_dist_checkpointing"
_PATH = "actor_rollout_ref.actor.megatron.dist_checkpointing_path"


@rule(
    id="VE103",
    name="converted-weights-missing",
    summary="use_dist_checkpointing without the path of the converted weights",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"verl": ">=0.4"},
    when={"verl:actor_rollout_ref.actor.megatron.use_dist_checkpointing": True},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine/megatron/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/megatron/transformer_impl.py",
            "The engine loads from dist_checkpointing_path where the switch is on.",
        ),
        Evidence(
            "verl 0.4.1: verl/workers/megatron_workers.py",
            "https://github.com/verl-project/verl/blob/v0.4.1/verl/workers/megatron_workers.py",
            "The same.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the folder is missing."""
    if run.flag(f"verl:{_SWITCH}") is not True or run.text("fact:engine") != "megatron":
        return
    if not run.is_set(f"verl:{_PATH}") and run.known(f"verl:{_PATH}") is None:  # what is set may be to be filled in
        yield run.finding(
            "use_dist_checkpointing loads converted weights, and dist_checkpointing_path is not set",
            (f"verl:{_SWITCH}", "loads from a folder"),
            f"verl:{_PATH}",
            help=f"set {_PATH}, or leave the switch off: the bridge loads Hugging Face weights",
        )
