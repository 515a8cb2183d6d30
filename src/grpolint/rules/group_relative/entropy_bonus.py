"""A large entropy bonus without a critic.

## What it checks
A weight of the entropy bonus of 0.01 or more in GRPO and its kin.

## Why it matters
The bonus pushes in every step, also where the rewards of a group are equal and nothing pushes back. Entropy then rises without
end and responses turn into noise. In published recipes of GRPO it is 0 to 0.001; that of PPO for games was 0.01.

## Example
    actor_rollout_ref.actor.entropy_coeff=0.01

## Instead
    actor_rollout_ref.actor.entropy_coeff=0

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer

_LARGE = 0.01


@rule(
    id="GR028",
    name="entropy-bonus",
    summary="an entropy bonus of 0.01 or more with a group-relative advantage",
    severity=Severity.INFO,
    confidence=Confidence.MEDIUM,
    when={"fact:entropy_coefficient": above(0.00999)},
    evidence=(
        Evidence(
            "verl-project/verl#781",
            "https://github.com/verl-project/verl/pull/781",
            "The examples of GRPO were changed from 0.001 to 0, after entropy had exploded with the former.",
            "partly",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the weight."""
    weight = run.number("fact:entropy_coefficient")
    if weight is None or weight < _LARGE or run.known("fact:group_relative") is not True:
        return
    yield run.finding(
        f"an entropy bonus of {weight:g} pushes in every step: entropy may rise until responses are noise",
        ("fact:entropy_coefficient", "0 to 0.001 are usual"),
        help="take 0, or widen the upper side of the clip range instead",
    )
