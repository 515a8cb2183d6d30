"""Batches of the separate asynchronous trainer that do not fit together.

## What it checks
With `trainer.v1.trainer_mode=separate_async` the train batch must be `parameter_sync_step` mini batches.

## Why it matters
The trainer stops with an assertion when it is made.

## Example
    trainer.v1.trainer_mode=separate_async data.train_batch_size=256 actor_rollout_ref.actor.ppo_mini_batch_size=128 trainer.v1.separate_async.parameter_sync_step=4

## Instead
    trainer.v1.trainer_mode=separate_async data.train_batch_size=512 actor_rollout_ref.actor.ppo_mini_batch_size=128 trainer.v1.separate_async.parameter_sync_step=4

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="VE021",
    name="separate-async-batch-mismatch",
    summary="separate_async wants train_batch_size = parameter_sync_step * ppo_mini_batch_size",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.9"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/v1/trainer_separate_async.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/v1/trainer_separate_async.py",
            "PPOTrainerSeparateAsync asserts the equality.",
        ),
    ),
    when={"verl:trainer.v1.trainer_mode": "separate_async"},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("verl:trainer.use_v1") is False or run.text("verl:trainer.v1.trainer_mode") != "separate_async":
        return
    batch = run.integer("verl:data.train_batch_size")
    product = Size.of(
        run,
        Term("verl:trainer.v1.separate_async.parameter_sync_step", "parameter_sync_step"),
        Term("verl:actor_rollout_ref.actor.ppo_mini_batch_size", "ppo_mini_batch_size"),
    )
    if batch is not None and product is not None and batch != product.value:
        yield run.finding(
            f"train_batch_size {batch} is not {product.equation}, as separate_async wants",
            ("verl:data.train_batch_size", ""),
            *product.places,
            "verl:trainer.v1.trainer_mode",
            help=f"set data.train_batch_size to {product.value}",
        )
