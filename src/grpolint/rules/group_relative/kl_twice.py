"""A KL penalty in the reward and again in the loss.

## What it checks
The KL divergence to the reference policy is both subtracted from the reward and added to the loss.

## Why it matters
The policy is held back twice, by two coefficients that are then tuned against each other. GRPO puts the term into the
loss, PPO into the reward; verl prints a notice and goes on, slime and SkyRL refuse.

## Example
    algorithm.use_kl_in_reward=True actor_rollout_ref.actor.use_kl_loss=True

## Instead
    algorithm.use_kl_in_reward=False actor_rollout_ref.actor.use_kl_loss=True

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_IN_REWARD = {
    "verl": ("algorithm.use_kl_in_reward", False),
    "skyrl": ("trainer.algorithm.use_kl_in_reward", False),
}
"""How the term in the reward is turned off."""


@rule(
    id="GR002",
    name="kl-twice",
    summary="KL penalty both in the reward and in the loss",
    severity=Severity.WARNING,
    evidence=(
        Evidence(
            "verl 0.9.1: verl/utils/config.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/utils/config.py",
            "validate_config prints a notice that both are enabled.",
        ),
        Evidence(
            "slime 0.3.1: slime/utils/arguments.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/utils/arguments.py",
            "Refuses a run with both coefficients above zero.",
        ),
        Evidence(
            "SkyRL 0.3.0: skyrl/train/utils/utils.py",
            "https://github.com/NovaSky-AI/SkyRL/blob/skyrl-v0.3.0/skyrl/train/utils/utils.py",
            "validate_cfg asserts that the two are not on together.",
        ),
    ),
    when={"fact:kl_in_reward": True, "fact:kl_in_loss": True},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if both are on."""
    if run.known("fact:kl_in_reward") is True and run.known("fact:kl_in_loss") is True:
        turn_off = _IN_REWARD.get(run.run.trainer)
        yield run.finding(
            "the KL penalty is applied twice: subtracted from the reward and added to the loss",
            ("fact:kl_in_reward", "in the reward"),
            ("fact:kl_in_loss", "in the loss"),
            help="keep one of the two; GRPO uses the term in the loss",
            changes=(SetOption(run.run.trainer, *turn_off),) if turn_off else (),
            severity=Severity.ERROR if run.run.trainer == "skyrl" else None,
        )
