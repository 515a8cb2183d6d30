"""A PPO mini batch larger than the batch it is cut from.

## What it checks
`actor.ppo_mini_batch_size` above `data.train_batch_size`. Both count prompts: verl multiplies them by `rollout.n` itself.

## Why it matters
verl refuses the run after Ray has started. With dynamic batching the check is skipped, and the update fails or takes
fewer steps than written.

## Example
    data.train_batch_size=32 actor_rollout_ref.rollout.n=8 actor_rollout_ref.actor.ppo_mini_batch_size=64

## Instead
    data.train_batch_size=32 actor_rollout_ref.rollout.n=8 actor_rollout_ref.actor.ppo_mini_batch_size=32

## Fix safety
Unsafe: it changes the number of optimizer steps.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_BATCH = "data.train_batch_size"
_MINI = "actor_rollout_ref.actor.ppo_mini_batch_size"


@rule(
    id="VE001",
    name="mini-batch-above-train-batch",
    summary="ppo_mini_batch_size is larger than train_batch_size",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.2"},
    evidence=(
        Evidence(
            "verl-project/verl#5821",
            "https://github.com/verl-project/verl/issues/5821",
            "A train batch of 32 with a mini batch of 64 is refused; its reporter had counted the mini batch in responses.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/config/actor.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/actor.py",
            "ActorConfig.validate raises ValueError unless use_dynamic_bsz is on.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the mini batch does not fit."""
    batch, mini = run.integer(f"verl:{_BATCH}"), run.integer(f"verl:{_MINI}")
    if (
        not batch or mini is None or mini <= batch
    ):  # a train batch of 0 is how the fully asynchronous trainer is started
        return
    dynamic = run.flag("verl:actor_rollout_ref.actor.use_dynamic_bsz") is True
    n = run.integer("verl:actor_rollout_ref.rollout.n") or 1
    note = "both sizes count prompts: verl multiplies the mini batch by rollout.n itself"
    yield run.finding(
        f"ppo_mini_batch_size {mini} > train_batch_size {batch}: a mini batch is cut from the train batch",
        (f"verl:{_MINI}", f"{mini} prompts"),
        (f"verl:{_BATCH}", f"{batch} prompts"),
        notes=(note,) if n > 1 else (),
        changes=(SetOption("verl", _MINI, batch),),
        severity=Severity.WARNING if dynamic else None,
    )
