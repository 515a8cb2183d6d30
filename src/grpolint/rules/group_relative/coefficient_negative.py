"""A coefficient with the wrong sign.

## What it checks
The weight of the KL term or of the entropy bonus is below 0.

## Why it matters
All frameworks subtract the entropy bonus from the loss and add the KL term themselves. A minus in the configuration turns
them round: the policy is driven away from the reference, or its entropy down.

## Example
    actor_rollout_ref.actor.entropy_coeff=-0.001

## Instead
    actor_rollout_ref.actor.entropy_coeff=0.001

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, below, rule
from grpolint.rules.verl._trainer import ppo_trainer

_TERMS = {
    "fact:kl_coefficient": "the KL term drives the policy away from the reference",
    "fact:entropy_coefficient": "the entropy is driven down",
}


@rule(
    id="GR013",
    name="coefficient-negative",
    summary="the weight of the KL term or of the entropy bonus is negative",
    severity=Severity.WARNING,
    when={"fact:kl_coefficient|fact:entropy_coefficient": below(0)},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/utils/losses.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/utils/losses.py",
            "The loss is reduced by entropy_coeff times the entropy and grows by kl_loss_coef times the divergence.",
        ),
        Evidence(
            "slime 0.3.1: slime/backends/megatron_utils/loss.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/backends/megatron_utils/loss.py",
            "The same signs for entropy_coef and kl_loss_coef.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    for ref, effect in _TERMS.items():
        weight = run.number(ref)
        if weight is not None and weight < 0:
            yield run.finding(
                f"a coefficient of {weight:g} turns the term round: {effect}",
                (ref, "negative"),
                help=f"write {-weight:g}, or 0 to leave the term out",
            )
