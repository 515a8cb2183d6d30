"""Partial rollouts without asynchronous training.

## What it checks
`--train.partial_rollout_enable` without `--train.async_enable`.

## Why it matters
The program stops with an assertion at the start.

## Example
    --train.partial_rollout_enable

## Instead
    --train.partial_rollout_enable --train.async_enable

## Fix safety
None is offered: asynchronous training is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import off, on, together


@rule(
    id="OR004",
    name="partial-rollout-synchronous",
    summary="partial rollouts need asynchronous training",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.10"},
    evidence=(
        Evidence(
            "openrlhf 0.11.2: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.2/openrlhf/cli/train_ppo_ray.py",
            "Asserts that training is asynchronous where rollouts are partial.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "partial rollouts continue while the policy is updated: they need train.async_enable",
        on("openrlhf:train.partial_rollout_enable", "partial rollouts"),
        off("openrlhf:train.async_enable", "synchronous"),
        help="add --train.async_enable",
    )
