"""Step-wise trajectories with an estimator that works along time.

## What it checks
`generator.step_wise_trajectories=true` with `gae` or `reinforce++`.

## Why it matters
Step-wise training gives every step the one advantage of its trajectory, which an advantage for each token contradicts. SkyRL
refuses it since 0.2; before, and in skyrl-train, it trained on the advantages of the last step.

## Example
    generator.step_wise_trajectories=true trainer.algorithm.advantage_estimator=gae trainer.critic.model.path=Qwen/Qwen2.5-1.5B-Instruct

## Instead
    generator.step_wise_trajectories=true trainer.algorithm.advantage_estimator=grpo

## Fix safety
None is offered: the estimator is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.relations import equals, on, together
from grpolint.rules.skyrl._entry import joined, severity


@rule(
    id="SK004",
    name="stepwise-with-temporal-estimator",
    summary="step-wise trajectories with an estimator along time",
    severity=Severity.ERROR,
    frameworks={"skyrl": ">=0.2"},
    evidence=(
        Evidence(
            "SkyRL 0.2.0: skyrl/train/utils/utils.py",
            "https://github.com/NovaSky-AI/SkyRL/blob/skyrl-v0.2.0/skyrl/train/utils/utils.py",
            "validate_cfg raises ValueError for gae and reinforce++ with step-wise trajectories.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if not joined(run):
        raise NotApplicable
    yield from together(
        run,
        "step-wise trajectories need an estimator of whole outcomes: SkyRL refuses this one",
        on("skyrl:generator.step_wise_trajectories", "one advantage for all steps"),
        equals(
            "skyrl:trainer.algorithm.advantage_estimator", "gae", "reinforce++", label="an advantage for each token"
        ),
        help="use grpo, rloo or maxrl, or turn step-wise trajectories off",
        severity=severity(run),
    )
