"""A PPO mini batch larger than the batch it is cut from.

## What it checks
`actor.ppo_mini_batch_size` above `data.train_batch_size`. Both count prompts: verl multiplies them by `rollout.n` itself.

## Why it matters
verl refuses the run after Ray has started. With dynamic batching it does not check: up to 0.7 the gradient is divided by
a batch that is not there, 0.8 stops at the first update, and from 0.9 on the batch is filled up with empty sequences.

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
from grpolint.rules.verl._trainer import start_check
from grpolint.versions import satisfies

_BATCH = "data.train_batch_size"
_MINI = "actor_rollout_ref.actor.ppo_mini_batch_size"


@rule(
    id="VE001",
    name="mini-batch-above-train-batch",
    summary="ppo_mini_batch_size is larger than train_batch_size",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3"},
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
@start_check
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the mini batch does not fit."""
    batch, mini = run.integer(f"verl:{_BATCH}"), run.integer(f"verl:{_MINI}")
    if not batch or mini is None or mini <= batch:  # fully asynchronous trainers are started with a train batch of 0
        return
    dynamic = run.flag("verl:actor_rollout_ref.actor.use_dynamic_bsz") is True
    if dynamic and run.run.trainer == "rllm":
        return  # its trainer cuts the batch into whole updates, at least one
    soft = dynamic and not satisfies(run.run.settings["verl"].version.text, ">=0.8,<0.9")
    n = run.integer("verl:actor_rollout_ref.rollout.n") or 1
    note = "both sizes count prompts: verl multiplies the mini batch by rollout.n itself"
    yield run.finding(
        f"ppo_mini_batch_size {mini} > train_batch_size {batch}: a mini batch is cut from the train batch",
        (f"verl:{_MINI}", f"{mini} prompts"),
        (f"verl:{_BATCH}", f"{batch} prompts"),
        notes=(note,) if n > 1 else (),
        changes=(SetOption("verl", _MINI, batch),),
        severity=Severity.WARNING if soft else None,
    )
