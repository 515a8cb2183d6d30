"""A KL penalty inside advantages that are divided by the deviation.

## What it checks
The KL penalty is subtracted from the reward while GRPO divides by the standard deviation of the group, in verl, EasyR1 and
SkyRL.

## Why it matters
The penalty is part of what the deviation is taken of. In a group whose responses are all right, or all wrong, only the penalties
differ: divided by their own deviation they become advantages of size 1, at any coefficient. GRPO has its KL term in the loss.

## Example
    algorithm.adv_estimator=grpo algorithm.use_kl_in_reward=True

## Instead
    algorithm.adv_estimator=grpo actor_rollout_ref.actor.use_kl_loss=True

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_MOVE: dict[str, tuple[tuple[str, bool], ...]] = {
    "verl": (("algorithm.use_kl_in_reward", False), ("actor_rollout_ref.actor.use_kl_loss", True)),
    "easyr1": (("algorithm.use_kl_loss", True),),
    "skyrl": (("trainer.algorithm.use_kl_in_reward", False), ("trainer.algorithm.use_kl_loss", True)),
}


@rule(
    id="GR027",
    name="kl-scaled-up",
    summary="a KL penalty in rewards that GRPO divides by their deviation",
    severity=Severity.INFO,
    confidence=Confidence.MEDIUM,
    frameworks=dict.fromkeys(_MOVE, ""),
    when={"fact:kl_in_reward": True, "fact:advantage": ("grpo", "grpo_vectorized", "grpo_passk")},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/core_algos.py",
            "The scores of GRPO are the sums of the rewards of all tokens, with the penalty in them, less their mean over their deviation.",
        ),
        Evidence(
            "arXiv 2402.03300 (DeepSeekMath), section 4.1.1",
            "https://arxiv.org/abs/2402.03300",
            "GRPO adds the divergence to the loss, so as not to complicate the advantages.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the penalty is scaled."""
    if run.known("fact:kl_in_loss") is True:
        return  # in both: GR002
    if run.known("fact:kl_in_reward") is not True or run.known("fact:group_relative") is not True:
        return
    if run.run.trainer != "easyr1" and run.known("fact:advantage_scaled") is not True:
        return
    if run.run.trainer == "verl" and not run.is_set("verl:algorithm.use_kl_in_reward"):
        return  # whether releases before the option apply the penalty depends on the reference
    weight = run.number("fact:kl_coefficient")
    if weight == 0:
        return
    yield run.finding(
        "where all responses of a prompt have one reward, the KL penalty alone decides: GRPO scales it up to advantages of 1",
        ("fact:kl_in_reward", "part of the reward"),
        ("fact:advantage", "divided by the deviation of the group"),
        changes=tuple(SetOption(run.run.trainer, *each) for each in _MOVE.get(run.run.trainer, ())),
    )
