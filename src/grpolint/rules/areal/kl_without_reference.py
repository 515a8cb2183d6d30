"""A KL penalty without a reference.

## What it checks
`actor.kl_ctl` above zero, 0.1 by default, without a `ref` section.

## Why it matters
Log-probabilities of the reference are then taken for zero, so that the penalty is the policy's own log-probability:
every token is rewarded for being unlikely, and nothing says so.

## Example
    actor:
      kl_ctl: 0.01
    ref: null

## Instead
    actor:
      kl_ctl: 0.0
    ref: null

## Fix safety
Unsafe: the rewards change.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="AR005",
    name="kl-without-reference",
    summary="kl_ctl above zero and no reference model",
    severity=Severity.ERROR,
    frameworks={"areal": ">=0.5"},
    evidence=(
        Evidence(
            "areal 1.0.4: areal/trainer/ppo/actor.py",
            "https://github.com/inclusionAI/AReaL/blob/v1.0.4/areal/trainer/ppo/actor.py",
            "Where the batch has no ref_logp zeros take its place, and kl_ctl times the estimate of the KL divergence is subtracted.",
        ),
        Evidence(
            "areal 1.0.4: areal/trainer/rl_trainer.py",
            "https://github.com/inclusionAI/AReaL/blob/v1.0.4/areal/trainer/rl_trainer.py",
            "A reference is made only where there is a ref section.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if there is a penalty and no reference."""
    if run.known("fact:group_size") is None:  # no reinforcement learning
        return
    if next(run.run.settings["areal"].under("actor"), None) is None:  # engines alone
        return
    weight = run.number("areal:actor.kl_ctl")
    if not weight or weight < 0 or run.known("fact:kl_in_reward") is not False:
        return
    yield run.finding(
        f"kl_ctl is {weight} and there is no ref: the penalty is taken against log-probabilities of zero",
        ("areal:actor.kl_ctl", "a penalty"),
        ("areal:ref", "no reference"),
        *(() if run.is_set("areal:actor.kl_ctl") else (("areal:actor.path", "the policy"),)),
        notes=("a ref section gives the penalty its reference",),
        changes=(SetOption("areal", "actor.kl_ctl", 0.0),),
    )
