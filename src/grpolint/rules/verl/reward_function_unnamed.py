"""A reward function whose file is given under the old name, and whose own name is not.

## What it checks
`custom_reward_function.path` without `custom_reward_function.name` in verl 0.7.1 and 0.8.

## Why it matters
Before, the name was `compute_score` by default. These releases replace the new section by the old one as a whole, in
which the name is null, and the worker stops at an assertion.

## Example
    custom_reward_function.path=rewards/math.py

## Instead
    custom_reward_function.path=rewards/math.py custom_reward_function.name=compute_score

## Fix safety
Safe: it is the name that every other release takes by default, and the run stops without it.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_PATH = "custom_reward_function.path"
_NAME = "custom_reward_function.name"


@rule(
    id="VE056",
    name="reward-function-unnamed",
    summary="custom_reward_function.path without name in verl 0.7.1 and 0.8",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7.1,<0.9"},
    when={"verl:custom_reward_function.path": SET},
    evidence=(
        Evidence(
            "verl 0.8.0: verl/experimental/reward_loop/reward_loop.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/experimental/reward_loop/reward_loop.py",
            "The migration assigns the whole old section if any of its values is set.",
        ),
        Evidence(
            "verl 0.8.0: verl/trainer/ppo/reward.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/trainer/ppo/reward.py",
            "get_custom_reward_fn asserts that the name is not null.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the name is missing."""
    if run.known(f"verl:{_PATH}") is None or run.known(f"verl:{_NAME}") is not None:
        return
    yield run.finding(
        "custom_reward_function has a path and no name: the old section replaces the one with the default compute_score",
        (f"verl:{_PATH}", "no name beside it"),
        changes=(SetOption("verl", _NAME, "compute_score", safe=True),),
    )
