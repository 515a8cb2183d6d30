"""A train batch that is not a whole number of PPO mini batches.

## What it checks
`data.train_batch_size` must be a multiple of `actor.ppo_mini_batch_size`. From 0.9 on the new trainer fills the batch
up instead and the rule does not apply.

## Why it matters
Up to 0.7 the last mini batch of each step is short while its gradient is divided as if it were full, so its samples
count less. 0.8 stops with an assertion at the first update.

## Example
    data.train_batch_size=100 actor_rollout_ref.actor.ppo_mini_batch_size=64

## Instead
    data.train_batch_size=128 actor_rollout_ref.actor.ppo_mini_batch_size=64

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.relations import Size, Term, multiple
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies


@rule(
    id="VE005",
    name="train-batch-not-whole-mini-batches",
    summary="train_batch_size is not a multiple of ppo_mini_batch_size",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.2"},
    evidence=(
        Evidence(
            "verl 0.7.1: verl/workers/actor/dp_actor.py",
            "https://github.com/verl-project/verl/blob/v0.7.1/verl/workers/actor/dp_actor.py",
            "The batch is split into mini batches, the last one short; gradient accumulation is computed from "
            "the full size.",
        ),
        Evidence(
            "verl 0.8.0: verl/utils/tensordict_utils.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/utils/tensordict_utils.py",
            "make_iterator asserts that the batch of a rank is a multiple of the mini batch.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/v1/trainer_base.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/v1/trainer_base.py",
            "The batch is filled up to a multiple of the mini batch.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.run.trainer == "rllm":  # it fills its batches up
        raise NotApplicable
    version = run.run.settings["verl"].version.text
    if satisfies(version, ">=0.9") and run.flag("verl:trainer.use_v1") is not False:
        raise NotApplicable
    batch = Size.of(run, Term("verl:data.train_batch_size", "train_batch_size"))
    mini = Size.of(run, Term("verl:actor_rollout_ref.actor.ppo_mini_batch_size", "ppo_mini_batch_size"))
    if batch is None or mini is None or batch.value < mini.value:
        return
    stops = satisfies(version, ">=0.8")
    why = (
        "verl stops at the first update"
        if stops
        else "the last mini batch of each step is short and its samples count less"
    )
    below, above = batch.value - batch.value % mini.value, batch.value + mini.value - batch.value % mini.value
    yield from multiple(
        run,
        batch,
        mini,
        why,
        help=f"set data.train_batch_size to {below} or {above}",
        severity=None if stops else Severity.WARNING,
    )
