"""Routing replay that is recorded in a pass which bypass mode skips.

## What it checks
`router_replay.mode=R2` of the actor's engine together with `algorithm.rollout_correction.bypass_mode`.

## Why it matters
verl refuses the combination since 0.9.1. R2 records the routes while the old log-probabilities are computed, and
bypass mode does not compute them.

## Example
    actor_rollout_ref.actor.megatron.router_replay.mode=R2 algorithm.rollout_correction.bypass_mode=True

## Instead
    actor_rollout_ref.actor.megatron.router_replay.mode=R3 algorithm.rollout_correction.bypass_mode=True

## Fix safety
None is offered: R3 and no bypass are both remedies.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import equals, on, together
from grpolint.rules.verl._trainer import ppo_trainer

_BYPASS = "verl:algorithm.rollout_correction.bypass_mode"


@rule(
    id="VE020",
    name="router-replay-with-bypass",
    summary="router_replay R2 does not work with bypass_mode",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.9.1"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/utils/config.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/utils/config.py",
            "_validate_router_replay_config raises ValueError for the combination.",
        ),
    ),
    aliases=("D03",),
    when={"verl:algorithm.rollout_correction.bypass_mode": True},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag(_BYPASS) is not True:
        return
    strategy = run.text("verl:actor_rollout_ref.actor.strategy") or ""
    engine = "fsdp_config" if strategy.startswith("fsdp") else strategy
    yield from together(
        run,
        "router_replay R2 records its routes in the pass that bypass_mode skips",
        equals(
            f"verl:actor_rollout_ref.actor.{engine}.router_replay.mode",
            "r2",
            label="recorded while old log-probabilities are computed",
        ),
        on(_BYPASS, "skips them"),
        help="use mode R3, which records in the rollout, or turn bypass_mode off",
    )
