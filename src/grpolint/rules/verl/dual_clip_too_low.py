"""A bound of the dual clip that is not above 1.

## What it checks
`actor.clip_ratio_c` is 1 or less, with a loss that uses it (vanilla).

## Why it matters
It bounds the ratio for negative advantages from above; a ratio of 1 is where every update starts. The loss asserts
that it is above 1, in the first update.

## Example
    actor_rollout_ref.actor.clip_ratio_c=0.8

## Instead
    actor_rollout_ref.actor.clip_ratio_c=3.0

## Fix safety
Unsafe: it bounds how far bad responses are pushed away.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_BOUND = "actor_rollout_ref.actor.clip_ratio_c"
_LOSS = "actor_rollout_ref.actor.policy_loss.loss_mode"


@rule(
    id="VE067",
    name="dual-clip-too-low",
    summary="clip_ratio_c is not above 1",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4"},
    when={"verl:actor_rollout_ref.actor.clip_ratio_c": SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/core_algos.py",
            "The clipped loss asserts that clip_ratio_c is above 1.",
        ),
        Evidence(
            "verl 0.4.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.4.1/verl/trainer/ppo/core_algos.py",
            "The same.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the bound is refused."""
    bound = run.number(f"verl:{_BOUND}")
    if bound is None or bound > 1 or run.text(f"verl:{_LOSS}") not in (None, "vanilla"):
        return
    yield run.finding(
        f"clip_ratio_c {bound:g} is not above 1: the loss stops at an assertion",
        (f"verl:{_BOUND}", "has to be above 1"),
        changes=(SetOption("verl", _BOUND, 3.0),),
    )
