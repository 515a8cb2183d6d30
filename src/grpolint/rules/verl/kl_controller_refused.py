"""A controller of the KL penalty that verl refuses.

## What it checks
With the KL penalty in the reward: `algorithm.kl_ctrl.type` is neither `fixed` nor `adaptive`, or it is adaptive with
a horizon of 0 or less.

## Why it matters
The trainer raises NotImplementedError or stops at an assertion while it is made.

## Example
    algorithm.use_kl_in_reward=True algorithm.kl_ctrl.type=adaptive algorithm.kl_ctrl.horizon=0

## Instead
    algorithm.use_kl_in_reward=True algorithm.kl_ctrl.type=adaptive algorithm.kl_ctrl.horizon=10000 algorithm.kl_ctrl.target_kl=0.1

## Fix safety
Unsafe: it decides how strong the penalty is.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._choices import choice
from grpolint.rules.verl._trainer import ppo_trainer

_TYPE = "algorithm.kl_ctrl.type"
_HORIZON = "algorithm.kl_ctrl.horizon"


@rule(
    id="VE065",
    name="kl-controller-refused",
    summary="a controller of the KL penalty that verl does not take",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4"},
    when={"verl:algorithm.use_kl_in_reward": True},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/core_algos.py",
            "get_kl_controller knows fixed and adaptive, and asserts that the horizon is above 0.",
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
    """Yield a finding for a controller that is refused."""
    if run.known("fact:kl_in_reward") is not True:
        return
    yield from choice(run, _TYPE, ("fixed", "adaptive"), "verl raises NotImplementedError", closed=True)
    if run.text(f"verl:{_TYPE}") == "adaptive":
        horizon = run.number(f"verl:{_HORIZON}")
        if horizon is not None and horizon <= 0:
            yield run.finding(
                f"an adaptive KL controller has horizon {horizon}: verl asserts that it is above 0",
                (f"verl:{_HORIZON}", "not above 0"),
                (f"verl:{_TYPE}", "divides by the horizon"),
                help="10000 is the default",
            )
