"""Outputs of all micro batches that verl keeps until the optimizer step.

## What it checks
An FSDP engine of verl 0.8 that accumulates many micro batches (16 or more) to one optimizer step.

## Why it matters
The engine keeps the outputs of every micro batch with their autograd graphs until the mini batch is done. Memory grows with
the number of micro batches, which smaller micro batches, offloading and Ulysses do not help; with LoRA it was worst.
Fixed in 0.9.0.

## Example
    data.train_batch_size=512 actor_rollout_ref.rollout.n=16 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1

## Instead
    pip install 'verl>=0.9.0'

## Fix safety
None is offered: the remedy is another release, or a smaller mini batch, which changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer

_MANY = 16


@rule(
    id="VE028",
    name="micro-batch-outputs-kept",
    summary="memory of an FSDP update grows with the number of micro batches in verl 0.8",
    severity=Severity.INFO,
    confidence=Confidence.MEDIUM,
    frameworks={"verl": ">=0.8,<0.9"},
    when={"fact:gradient_accumulation": above(_MANY - 1)},
    evidence=(
        Evidence(
            "verl-project/verl#6984",
            "https://github.com/verl-project/verl/pull/6984",
            "The outputs of each micro batch are kept for the whole mini batch: out of memory at a high rollout.n.",
        ),
        Evidence(
            "verl-project/verl#6698",
            "https://github.com/verl-project/verl/issues/6698",
            "They keep their autograd graphs; with LoRA and long sequences the first update ends out of memory.",
        ),
        Evidence(
            "verl 0.8.0: verl/workers/engine/fsdp/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/workers/engine/fsdp/transformer_impl.py",
            "forward_step returns model_output undetached and forward_backward_batch keeps it; 0.9.1 detaches it.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for an FSDP engine with many micro batches."""
    if not str(run.known("fact:engine")).startswith("fsdp"):
        return
    steps = run.integer("fact:gradient_accumulation")
    if steps is not None and steps >= _MANY:
        version = run.run.settings["verl"].version.text
        yield run.finding(
            f"{steps} micro batches make one optimizer step, and verl {version} keeps the outputs of all of them in memory",
            ("verl:actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu", ""),
            ("verl:actor_rollout_ref.actor.ppo_mini_batch_size", ""),
            ("fact:group_size", ""),
            help="use verl 0.9.0 or later where the update runs out of memory",
        )
