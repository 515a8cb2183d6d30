"""An optimal token baseline without the statistic that it is made of.

## What it checks
`algorithm.adv_estimator` `optimal_token_baseline` or `tir_optimal_token_baseline` while
`actor.calculate_sum_pi_squared` is off.

## Why it matters
The first step stops with an assertion after the whole rollout.

## Example
    algorithm.adv_estimator=optimal_token_baseline

## Instead
    algorithm.adv_estimator=optimal_token_baseline actor_rollout_ref.actor.calculate_sum_pi_squared=True

## Fix safety
Safe: it only lets the run get past the error.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import equals, off, together
from grpolint.rules.verl._trainer import ppo_trainer

_STATISTIC = "actor_rollout_ref.actor.calculate_sum_pi_squared"


@rule(
    id="VE019",
    name="optimal-baseline-without-statistic",
    summary="optimal_token_baseline needs calculate_sum_pi_squared=True",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7.1"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/ray_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/ray_trainer.py",
            "compute_advantage asserts that the batch has sum_pi_squared and names the option.",
        ),
    ),
    when={"fact:advantage": ("optimal_token_baseline", "tir_optimal_token_baseline")},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "the optimal token baseline needs the sum of squared probabilities, which the actor does not calculate",
        equals("fact:advantage", "optimal_token_baseline", "tir_optimal_token_baseline", label="needs the statistic"),
        off(f"verl:{_STATISTIC}", "not calculated"),
        changes=(SetOption("verl", _STATISTIC, value=True, safe=True),),
    )
