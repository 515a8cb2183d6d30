"""A mixture of experts whose trainer chooses its experts anew.

## What it checks
verl trains a mixture of experts with Megatron or VeOmni without router replay, without importance weights for the rollout
(`rollout_correction.rollout_is`) and without bypass mode.

## Why it matters
Rollout engine and trainer round differently, so that some tokens pass through other experts in the trainer than those that
produced them. Their probabilities then belong to another network. Replaying the routes (`router_replay.mode=R3`) removes the
difference; importance weights correct for it.

## Example
    actor_rollout_ref.actor.strategy=megatron actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B

## Instead
    actor_rollout_ref.actor.megatron.router_replay.mode=R3 actor_rollout_ref.rollout.enable_rollout_routing_replay=True

## Fix safety
None is offered: replay and correction are both remedies, and both change training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="MO002",
    name="routes-not-replayed",
    summary="RL on a mixture of experts without router replay or importance weights",
    severity=Severity.INFO,
    confidence=Confidence.MEDIUM,
    frameworks={"verl": ">=0.8"},
    when={"fact:moe": True, "fact:router_replay": "off"},
    default=False,
    evidence=(
        Evidence(
            "NVIDIA/Megatron-LM#5384",
            "https://github.com/NVIDIA/Megatron-LM/issues/5384",
            "Rollout engine and trainer choose differently from the same scores; asks for what exists for routers, for indexers too.",
            "partly",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/config/engine.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/engine.py",
            "router_replay repeats the routes of the old pass (R2) or of the rollout (R3); it is disabled by default.",
        ),
    ),
    aliases=("D16",),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if neither replay nor correction is on."""
    if run.flag("fact:moe") is not True or run.text("fact:router_replay") != "off":
        return
    if run.flag("fact:bypass_mode") is True or run.text("verl:algorithm.rollout_correction.rollout_is") is not None:
        return
    yield run.finding(
        "trainer and rollout engine choose experts independently: no router replay and no importance weights",
        ("fact:model", "mixture of experts"),
        ("fact:router_replay", "off"),
        help="set router_replay.mode=R3 with rollout.enable_rollout_routing_replay, or rollout_correction.rollout_is",
    )
