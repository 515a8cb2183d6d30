"""A reward manager that is not registered.

## What it checks
The name of the reward manager is another spelling of one that the release has, or `prime` or `batch` in a release
from 0.7.1 on, whose reward loop does not have them. Other names are left alone: projects register their own.

## Why it matters
The run stops when the configuration of the reward is made.

## Example
    reward.reward_manager.name=prime

## Instead
    reward.reward_manager.name=naive

## Fix safety
Unsafe: managers score differently.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._choices import choice
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_LOOP = ("naive", "dapo", "gdpo", "remote", "rate_limited")
_BEFORE = ("naive", "prime", "batch", "dapo")
_GONE = {
    "prime": "naive with a custom_reward_function: the reward loop has no manager of that name",
    "batch": "naive: the reward loop scores one response at a time, and has no manager of that name",
}


def _own_module(run: Inquiry) -> bool:
    """Whether the name is looked up in a file of the user's."""
    sources = ("reward.reward_manager.source", "reward_model.reward_loop_source")
    return any(run.is_set(f"verl:{key}") and run.text(f"verl:{key}") == "importlib" for key in sources)


@rule(
    id="VE059",
    name="reward-manager-unknown",
    summary="a reward manager that the release does not have",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/config/reward.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/reward.py",
            "RewardManagerConfig asserts that the name is among the managers of the reward loop.",
        ),
        Evidence(
            "verl 0.6.1: verl/workers/reward_manager/registry.py",
            "https://github.com/verl-project/verl/blob/v0.6.1/verl/workers/reward_manager/registry.py",
            "get_reward_manager_cls raises ValueError for a name that is not registered.",
        ),
    ),
    when={"verl:reward.reward_manager.name|verl:reward_model.reward_manager": SET},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for a name that no manager has."""
    version = run.run.settings["verl"].version.text
    loop = satisfies(version, ">=0.7.1")
    keys = ["reward.reward_manager.name"] if loop else ["reward_model.reward_manager"]
    if loop and satisfies(version, "<0.9"):
        keys.append("reward_model.reward_manager")
    for key in keys:
        if not run.is_set(f"verl:{key}") or _own_module(run):
            continue
        yield from choice(run, key, _LOOP if loop else _BEFORE, "verl stops at the start", meant=_GONE if loop else {})
