"""A KL coefficient that leaves nothing to learn.

## What it checks
The weight of the KL term, in the loss or in the reward, is 1 or more. Distillation, where that is meant, is left alone.

## Why it matters
The estimate of the divergence is added for every token, while the advantage of a response is about 1. At such a weight a
divergence of a few tenths outweighs all that rewards say, and the policy stays where it is. Published recipes take 0 to 0.1.

## Example
    actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.actor.kl_loss_coef=1.0

## Instead
    actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.actor.kl_loss_coef=0.001

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer

_LEAST = 1.0


@rule(
    id="GR012",
    name="kl-dominates",
    summary="a KL coefficient of 1 or more",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"fact:kl_coefficient": above(0.999)},
    evidence=(
        Evidence(
            "arXiv 2402.03300 (DeepSeekMath), section 4.2",
            "https://arxiv.org/abs/2402.03300",
            "GRPO is run with a coefficient of 0.04.",
        ),
        Evidence(
            "arXiv 2503.14476 (DAPO), section 2.3",
            "https://arxiv.org/abs/2503.14476",
            "The KL term is left out, since the policy has to move away from the initial model.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for a coefficient that is in use."""
    weight = run.number("fact:kl_coefficient")
    if weight is None or weight < _LEAST or run.known("fact:advantage") is None:
        return
    if run.known("fact:kl_in_loss") is not True and run.known("fact:kl_in_reward") is not True:
        return
    if run.known("fact:distillation") is True:
        return
    yield run.finding(
        f"a KL coefficient of {weight:g} outweighs the advantages: the policy cannot move away from the reference",
        ("fact:kl_coefficient", "of every token"),
        help="0.001 to 0.05 are usual; recipes with rewards that can be verified often take 0",
    )
