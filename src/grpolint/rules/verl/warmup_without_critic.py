"""The actor waits for a critic that is not there.

## What it checks
`trainer.critic_warmup` is 2 or more while no critic is trained.

## Why it matters
The actor is not updated before that step. Without a critic these steps sample, score and learn nothing.

## Example
    algorithm.adv_estimator=grpo trainer.critic_warmup=20

## Instead
    algorithm.adv_estimator=grpo trainer.critic_warmup=0

## Fix safety
Unsafe: training begins earlier.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer

_WARMUP = "trainer.critic_warmup"


@rule(
    id="VE083",
    name="warmup-without-critic",
    summary="critic_warmup holds back the actor of a run without a critic",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.2"},
    when={"verl:trainer.critic_warmup": above(1)},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/v1/trainer_base.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/v1/trainer_base.py",
            "The actor is updated only from the step critic_warmup on, whether there is a critic or not.",
        ),
        Evidence(
            "verl 0.4.1: verl/trainer/ppo/ray_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.4.1/verl/trainer/ppo/ray_trainer.py",
            "The same.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the actor waits in vain."""
    warmup = run.integer(f"verl:{_WARMUP}")
    if warmup is None or warmup < 2 or run.known("fact:uses_critic") is not False:
        return
    yield run.finding(
        f"the actor is not updated in the first {warmup - 1} steps: critic_warmup is {warmup}, and there is no critic",
        (f"verl:{_WARMUP}", f"{warmup} steps"),
        ("fact:advantage", "needs no critic"),
        changes=(SetOption("verl", _WARMUP, 0),),
    )
