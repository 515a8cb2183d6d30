"""A learning rate of supervised fine-tuning in reinforcement learning.

## What it checks
A learning rate of 1e-4 or more for all parameters, or of 5e-3 or more for an adapter, with Adam in GRPO, RLOO or PPO.

## Why it matters
The gradient of a policy is noisy and has no target to hold it back: within some tens of steps the policy collapses into
repetition. Of about 1000 published configurations for all parameters three quarters take 1e-6, 99 % at most 5e-5; adapters are
trained with up to 3e-4.

## Example
    actor_rollout_ref.actor.optim.lr=1e-4

## Instead
    actor_rollout_ref.actor.optim.lr=1e-6

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import foreign

_ALL, _ADAPTER = 1e-4, 5e-3


@rule(
    id="GR014",
    name="learning-rate-too-high",
    summary="a learning rate far above what reinforcement learning of language models takes",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"fact:learning_rate": above(9.99e-5)},
    evidence=(
        Evidence(
            "jjyaoao/HelloAgents#107",
            "https://github.com/jjyaoao/HelloAgents/issues/107",
            "GRPO with 5e-5 brings a model of 0.6 billion parameters from 57 % on GSM8K to 2.4 %; 1e-6 converges.",
            "partly",
        ),
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "GRPO's own default is 1e-6, in place of the 5e-5 of the Trainer.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the rate."""
    rate = run.number("fact:learning_rate")
    if rate is None or rate < _ALL:
        return
    relative = run.known("fact:group_relative")
    if relative is None or (relative is False and run.text("fact:advantage") not in ("gae", "ppo")):
        return
    if run.run.trainer == "verl" and foreign(run) is not None:
        return  # a program of its own may train another kind of model
    if run.text("fact:optimizer") not in ("adam", "adamw"):
        return
    adapter = (run.number("fact:lora_rank") or 0) > 0
    if adapter and rate < _ADAPTER:
        return
    usual = "1e-5 to 1e-4 for an adapter" if adapter else "1e-6 for all parameters"
    yield run.finding(
        f"a learning rate of {rate:g} makes the policy collapse within some tens of steps",
        ("fact:learning_rate", "for the adapter" if adapter else "for all parameters"),
        help=f"begin with {usual}",
    )
