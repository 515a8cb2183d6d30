"""A clip range that clips all or nothing.

## What it checks
One side of the clip range of the importance ratio is 0 with more than one optimizer step on a rollout, or the lower side is
1 or more.

## Why it matters
At 0 a sample counts only until its ratio has moved at all to that side: after the first step most gradients are gone. At 1
and more the ratio, which is never negative, cannot fall below the range, so that samples with a negative advantage are not
clipped on that side.

## Example
    --actor.eps_clip 0.0

## Instead
    --actor.eps_clip 0.2

## Fix safety
Unsafe: it changes the updates.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="GR018",
    name="clip-range-degenerate",
    summary="a clip range of 0, or one that has no lower bound",
    severity=Severity.WARNING,
    evidence=(
        Evidence(
            "arXiv 1707.06347 (PPO), section 3",
            "https://arxiv.org/abs/1707.06347",
            "The ratio is clipped at 1 - epsilon and 1 + epsilon; 0.1 to 0.3 are compared.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/core_algos.py",
            "The ratio is clamped to 1 - clip_ratio_low and 1 + clip_ratio_high.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding."""
    low, high = run.number("fact:clip_low"), run.number("fact:clip_high")
    if low is not None and low >= 1:
        yield run.finding(
            f"1 - {low:g} is no lower bound for a ratio that is never negative: nothing is clipped there",
            ("fact:clip_low", "the whole way to 0"),
            help="0.2 is usual; a loss without a lower bound is CISPO",
        )
        return
    if low != 0 and high != 0:
        return
    updates = run.integer("fact:updates_per_rollout")
    if updates is None or updates < 2:
        return
    yield run.finding(
        f"a clip range of 0 stops the gradient of all that has moved: {updates} optimizer steps on a rollout, and "
        "hardly more than the first one counts",
        ("fact:clip_low" if low == 0 else "fact:clip_high", "no room"),
        ("fact:updates_per_rollout", f"{updates} steps"),
        help="0.2 is usual",
    )
