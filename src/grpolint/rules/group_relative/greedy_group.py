"""A group of equal responses.

## What it checks
A group-relative advantage with more than one response and a sampling temperature of 0 in training, in all frameworks but TRL,
of which TR030 says the same.

## Why it matters
At temperature 0 every response of a prompt is the same, so is its reward, and the advantage of all is 0: nothing is
learned.

## Example
    actor_rollout_ref.rollout.n=8 actor_rollout_ref.rollout.temperature=0

## Instead
    actor_rollout_ref.rollout.n=8 actor_rollout_ref.rollout.temperature=1.0

## Fix safety
Unsafe: it changes what is sampled.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_HEAT = {
    "verl": "actor_rollout_ref.rollout.temperature",
    "openrlhf": "rollout.temperature",
    "slime": "rollout_temperature",
    "areal": "gconfig.temperature",
    "easyr1": "worker.rollout.temperature",
    "skyrl": "generator.sampling_params.temperature",
    "nemo-rl": "policy.generation.temperature",
    "ms-swift": "temperature",
    "megatron": "rl_default_temperature",
}
"""What the temperature of training is called."""


@rule(
    id="GR050",
    name="greedy-group",
    summary="a group of responses is sampled at temperature 0",
    severity=Severity.ERROR,
    frameworks={**dict.fromkeys(_HEAT, ""), "verl": ">=0.3"},
    when={"fact:temperature": 0},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/core_algos.py",
            "The advantage is the reward minus the mean of its group.",
        ),
        Evidence(
            "verl 0.9.1: verl/experimental/agent_loop/agent_loop.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/experimental/agent_loop/agent_loop.py",
            "The temperature of training is rollout.temperature, whatever do_sample says.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the responses are equal."""
    if run.run.trainer == "trl" or run.number("fact:temperature") != 0:
        return
    size = run.integer("fact:group_size")
    if run.known("fact:group_relative") is not True or size is None or size < 2:
        return
    trainer = run.run.trainer
    yield run.finding(
        f"{size} responses at temperature 0 are equal, and so are their rewards: every advantage is 0",
        ("fact:temperature", "takes the most likely token"),
        ("fact:group_size", f"{size} responses"),
        changes=(SetOption(trainer, _HEAT[trainer], 1.0),) if trainer in _HEAT else (),
    )
