"""Stages of waking up that are always there.

## What it checks
`rollout.multi_stage_wake_up` in verl from 0.7 on, and with vLLM in every release.

## Why it matters
Since 0.7 the engine wakes its weights first and its cache after the synchronisation, whatever the option says. It saves no more memory.

## Example
    actor_rollout_ref.rollout.multi_stage_wake_up=True

## Instead
    actor_rollout_ref.rollout.free_cache_engine=True

## Fix safety
Safe: it has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import removal
from grpolint.rules.verl._trainer import ppo_trainer

_STAGES = "verl:actor_rollout_ref.rollout.multi_stage_wake_up"


@rule(
    id="SG035",
    name="wake-up-stages-ignored",
    summary="multi_stage_wake_up, which nothing reads",
    severity=Severity.INFO,
    frameworks={"verl": ">=0.7"},
    when={_STAGES: True},
    evidence=(
        Evidence(
            "verl 0.7.1: verl/workers/config/rollout.py",
            "https://github.com/verl-project/verl/blob/v0.7.1/verl/workers/config/rollout.py",
            "The field is declared; no code of the release reads it.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/config/rollout.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/rollout.py",
            "The same. Weights and cache are always woken in two steps.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it is switched on."""
    if run.flag(_STAGES) is True:
        yield run.finding(
            f"nothing in verl {run.run.settings['verl'].version.text} reads multi_stage_wake_up: weights and cache wake in two steps anyway",
            (_STAGES, "of no effect"),
            changes=(removal(_STAGES, safe=True),),
        )
