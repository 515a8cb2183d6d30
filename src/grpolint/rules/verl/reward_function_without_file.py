"""A reward function that is named without its file.

## What it checks
`custom_reward_function.name` (or `reward.custom_reward_function.name`) is set to another name than the default while
`path` is null.

## Why it matters
verl looks for the file first and goes on with its default reward functions where there is none: the named one is
never called.

## Example
    custom_reward_function.name=my_score

## Instead
    custom_reward_function.path=rewards/math.py custom_reward_function.name=my_score

## Fix safety
None is offered: only you know the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="VE057",
    name="reward-function-without-file",
    summary="custom_reward_function.name without path",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.3"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/reward.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/reward.py",
            "get_custom_reward_fn returns nothing where the path is null, before it reads the name.",
        ),
        Evidence(
            "verl 0.4.1: verl/trainer/ppo/reward.py",
            "https://github.com/verl-project/verl/blob/v0.4.1/verl/trainer/ppo/reward.py",
            "The same.",
        ),
    ),
    when={"verl:custom_reward_function.name|verl:reward.custom_reward_function.name": SET},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each section with a name alone."""
    for section in ("custom_reward_function", "reward.custom_reward_function"):
        if not run.is_set(f"verl:{section}.name"):
            continue
        name = run.text(f"verl:{section}.name")
        if name in (None, "", "compute_score") or run.known(f"verl:{section}.path") is not None:
            continue
        yield run.finding(
            f"{section}.name {name} has no file: without a path verl scores with its own functions",
            (f"verl:{section}.name", "never called"),
            f"verl:{section}.path",
            help=f"set {section}.path to the file that has it",
        )
