"""GSPO with a clip range in which nothing is clipped.

## What it checks
`policy_loss.loss_mode=gspo` while `clip_ratio_low` or `clip_ratio_high` is 0.05 or more; 0.2 is the default.

## Why it matters
GSPO clips the geometric mean of the ratios of a whole response. It moves by thousandths between updates, so that a
range of 0.2 never clips; the paper takes 3e-4 and 4e-4.

## Example
    actor_rollout_ref.actor.policy_loss.loss_mode=gspo

## Instead
    actor_rollout_ref.actor.policy_loss.loss_mode=gspo actor_rollout_ref.actor.clip_ratio_low=3e-4 actor_rollout_ref.actor.clip_ratio_high=4e-4

## Fix safety
Unsafe: it changes the updates.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_MODE = "actor_rollout_ref.actor.policy_loss.loss_mode"
_CLIP = "actor_rollout_ref.actor.clip_ratio"
_WIDE = 0.05
"""A range that no mean ratio leaves in practice: the paper's are two orders below."""


@rule(
    id="VE068",
    name="sequence-ratio-never-clipped",
    summary="GSPO with the clip range of PPO",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"verl": ">=0.6"},
    when={"verl:actor_rollout_ref.actor.policy_loss.loss_mode": "gspo"},
    evidence=(
        Evidence(
            "arXiv 2507.18071 (GSPO), section 5.1",
            "https://arxiv.org/abs/2507.18071",
            "GSPO is run with a left and right range of 3e-4 and 4e-4 beside 0.2 and 0.27 for GRPO, since the two ratios are of different magnitude.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/core_algos.py",
            "The loss gspo clips the ratio of the whole response with clip_ratio_low and clip_ratio_high.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if neither side can clip."""
    if run.text(f"verl:{_MODE}") != "gspo":
        return
    low, high = (run.number(f"verl:{_CLIP}_{side}") for side in ("low", "high"))
    if low is None or high is None or min(low, high) < _WIDE:
        return
    yield run.finding(
        f"GSPO with clip_ratio_low {low:g} and clip_ratio_high {high:g} never clips: the mean ratio of a response moves by "
        "thousandths",
        (f"verl:{_MODE}", "a ratio for each response"),
        f"verl:{_CLIP}_low",
        f"verl:{_CLIP}_high",
        changes=(SetOption("verl", f"{_CLIP}_low", 3e-4), SetOption("verl", f"{_CLIP}_high", 4e-4)),
    )
