"""A token budget that nothing reads.

## What it checks
`actor.ppo_max_token_len_per_gpu` is set while `actor.use_dynamic_bsz` is off.

## Why it matters
Micro batches are then counted in sequences by `ppo_micro_batch_size_per_gpu`: whoever lowers the budget to save
memory changes nothing.

## Example
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8 actor_rollout_ref.actor.ppo_max_token_len_per_gpu=8192

## Instead
    actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.actor.ppo_max_token_len_per_gpu=8192

## Fix safety
Unsafe in memory: batches are packed in another way.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_BUDGET = "actor_rollout_ref.actor.ppo_max_token_len_per_gpu"
_DYNAMIC = "actor_rollout_ref.actor.use_dynamic_bsz"


@rule(
    id="VE084",
    name="token-budget-unread",
    summary="ppo_max_token_len_per_gpu has no effect without use_dynamic_bsz",
    severity=Severity.INFO,
    frameworks={"verl": ">=0.3"},
    when={
        "verl:actor_rollout_ref.actor.ppo_max_token_len_per_gpu": SET,
        "verl:actor_rollout_ref.actor.use_dynamic_bsz": False,
    },
    default=False,
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine/utils.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/utils.py",
            "prepare_micro_batches reads the budget only for dynamic batches.",
        ),
        Evidence(
            "verl 0.4.1: verl/workers/actor/dp_actor.py",
            "https://github.com/verl-project/verl/blob/v0.4.1/verl/workers/actor/dp_actor.py",
            "The same.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the budget is not read."""
    if not run.is_set(f"verl:{_BUDGET}"):
        return
    budget = run.integer(f"verl:{_BUDGET}")
    if budget is None or run.flag(f"verl:{_DYNAMIC}") is not False:
        return
    yield run.finding(
        f"ppo_max_token_len_per_gpu {budget} is not read: use_dynamic_bsz is off, and micro batches are counted in sequences",
        (f"verl:{_BUDGET}", "not read"),
        (f"verl:{_DYNAMIC}", "off"),
        changes=(SetOption("verl", _DYNAMIC, value=True),),
    )
