"""Generalised advantages without a critic.

## What it checks
`trainer.algorithm.advantage_estimator=gae` without `trainer.critic.model.path`.

## Why it matters
The values come from the critic. SkyRL checks it before anything starts and stops with an assertion.

## Example
    trainer.algorithm.advantage_estimator=gae trainer.policy.model.path=Qwen/Qwen2.5-1.5B-Instruct

## Instead
    trainer.algorithm.advantage_estimator=gae trainer.policy.model.path=Qwen/Qwen2.5-1.5B-Instruct trainer.critic.model.path=Qwen/Qwen2.5-1.5B-Instruct

## Fix safety
None is offered: a critic or another estimator is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import absent, equals, together
from grpolint.rules.skyrl._entry import severity


@rule(
    id="SK005",
    name="gae-without-critic",
    summary="gae without a critic's model",
    severity=Severity.ERROR,
    frameworks={"skyrl": ""},
    evidence=(
        Evidence(
            "SkyRL 0.3.0: skyrl/train/utils/utils.py",
            "https://github.com/NovaSky-AI/SkyRL/blob/skyrl-v0.3.0/skyrl/train/utils/utils.py",
            "validate_cfg asserts that gae comes with the path of a critic.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "gae needs the values of a critic, and trainer.critic.model.path is not given: SkyRL stops with an assertion",
        equals("skyrl:trainer.algorithm.advantage_estimator", "gae", label="needs a critic"),
        absent("skyrl:trainer.critic.model.path"),
        help="set trainer.critic.model.path, or use grpo",
        severity=severity(run),
    )
