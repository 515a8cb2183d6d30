"""An adapter at the learning rate of full fine-tuning.

## What it checks
A LoRA adapter is trained in reinforcement learning with 1e-6 or less.

## Why it matters
That is the usual rate for all parameters. An adapter begins at zero and wants about ten times as much; at the same rate
rewards hardly move, which is often taken for a weakness of LoRA.

## Example
    actor_rollout_ref.model.lora_rank=32 actor_rollout_ref.actor.optim.lr=1e-6

## Instead
    actor_rollout_ref.model.lora_rank=32 actor_rollout_ref.actor.optim.lr=1e-5

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer

_FULL = 1e-6


@rule(
    id="GR016",
    name="adapter-at-full-rate",
    summary="a LoRA adapter is trained at the learning rate of full fine-tuning",
    severity=Severity.INFO,
    confidence=Confidence.MEDIUM,
    when={"fact:lora_rank": above(0)},
    default=False,
    evidence=(
        Evidence(
            "tinker-cookbook: get_lora_lr_over_full_finetune_lr",
            "https://tinker-docs.thinkingmachines.ai/cookbook/api-reference/hyperparam_utils/get_lora_lr_over_full_finetune_lr",
            "The rate of an adapter is ten times that of full fine-tuning, as measured for LoRA Without Regret.",
        ),
        Evidence(
            "verl: docs/advance/ppo_lora.rst",
            "https://github.com/verl-project/verl/blob/main/docs/advance/ppo_lora.rst",
            "Recommends a learning rate of ten times that without LoRA.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with rate and rank."""
    rank = run.number("fact:lora_rank")
    if not rank or run.known("fact:advantage") is None:
        return
    rate = run.number("fact:learning_rate")
    if rate is None or not 0 < rate <= _FULL:
        return
    yield run.finding(
        f"a learning rate of {rate:g} is that of full fine-tuning: an adapter of rank {rank:g} wants about ten times as much",
        ("fact:learning_rate", "for an adapter"),
        ("fact:lora_rank", f"rank {rank:g}"),
        help=f"try {rate * 10:g}",
    )
