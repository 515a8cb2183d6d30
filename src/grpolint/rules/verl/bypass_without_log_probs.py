"""Bypass mode without the log-probabilities it takes the place of.

## What it checks
`algorithm.rollout_correction.bypass_mode` uses the rollout engine's log-probabilities as the old policy's, but
`actor_rollout_ref.rollout.calculate_log_probs` is off (the default up to 0.8).

## Why it matters
The first step fails after the whole rollout: the batch has no `rollout_log_probs`.

## Example
    algorithm.rollout_correction.bypass_mode=True

## Instead
    algorithm.rollout_correction.bypass_mode=True actor_rollout_ref.rollout.calculate_log_probs=True

## Fix safety
Safe: it only lets the run get past the error.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_BYPASS = "algorithm.rollout_correction.bypass_mode"
_LOG_PROBS = "actor_rollout_ref.rollout.calculate_log_probs"


@rule(
    id="VE006",
    name="bypass-without-rollout-log-probs",
    summary="bypass mode needs calculate_log_probs=True",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.6.1"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/rollout_corr_helper.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/rollout_corr_helper.py",
            "apply_bypass_mode raises ValueError if the batch has no rollout_log_probs and names calculate_log_probs.",
        ),
    ),
    aliases=("D03",),
    when={"verl:algorithm.rollout_correction.bypass_mode": True},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if bypass mode is on and log-probabilities are off."""
    if run.flag(f"verl:{_BYPASS}") is True and run.flag(f"verl:{_LOG_PROBS}") is False:
        yield run.finding(
            "bypass_mode takes the rollout's log-probabilities, but the rollout does not calculate them",
            (f"verl:{_BYPASS}", "needs rollout log-probabilities"),
            (f"verl:{_LOG_PROBS}", "not calculated"),
            changes=(SetOption("verl", _LOG_PROBS, value=True, safe=True),),
        )
