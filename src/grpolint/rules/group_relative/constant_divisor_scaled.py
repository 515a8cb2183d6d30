"""Half of Dr. GRPO.

## What it checks
A loss that divides by a constant instead of the length (TRL's and ms-swift's `dr_grpo`, verl's and SkyRL's
`seq-mean-token-sum-norm`) with advantages that are divided by the standard deviation of their group.

## Why it matters
Dr. GRPO takes away two biases: that of the length, and that of the deviation, which weights prompts that are almost always or
almost never solved above the others. The second one is still there, in most cases by default.

## Example
    GRPOConfig(loss_type="dr_grpo")

## Instead
    GRPOConfig(loss_type="dr_grpo", scale_rewards="none")

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_OFF: dict[str, tuple[str, object]] = {
    "verl": ("algorithm.norm_adv_by_std_in_grpo", False),
    "trl": ("scale_rewards", False),
    "ms-swift": ("scale_rewards", "none"),
    "skyrl": ("trainer.algorithm.grpo_norm_by_std", False),
}


@rule(
    id="GR022",
    name="constant-divisor-scaled",
    summary="the loss of Dr. GRPO with advantages divided by the standard deviation",
    severity=Severity.INFO,
    when={"fact:loss_aggregation": "constant", "fact:advantage_scaled": True},
    evidence=(
        Evidence(
            "arXiv 2503.20783 (Dr. GRPO), section 3",
            "https://arxiv.org/abs/2503.20783",
            "Both divisors are biased; the method removes both.",
        ),
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "scale_rewards is group by default, whatever loss_type is, and the help refers to the paper for turning it off.",
        ),
        Evidence(
            "SkyRL 0.3.0: skyrl/train/config/config.py",
            "https://github.com/NovaSky-AI/SkyRL/blob/skyrl-v0.3.0/skyrl/train/config/config.py",
            "grpo_norm_by_std is to be off for Dr. GRPO.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if only half of it is there."""
    if run.text("fact:loss_aggregation") != "constant" or run.known("fact:advantage_scaled") is not True:
        return
    off = _OFF.get(run.run.trainer)
    if off is not None and run.run.trainer == "trl" and isinstance(run.known("trl:scale_rewards"), str):
        off = ("scale_rewards", "none")
    yield run.finding(
        "the loss is that of Dr. GRPO, but advantages are still divided by the standard deviation of their group",
        ("fact:loss_aggregation", "divides by a constant"),
        ("fact:advantage_scaled", "divides by the deviation"),
        changes=(SetOption(run.run.trainer, *off),) if off else (),
    )
