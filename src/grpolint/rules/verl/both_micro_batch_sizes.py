"""A micro batch size given twice, or not at all.

## What it checks
Without dynamic batching verl wants exactly one of `*_micro_batch_size` (all devices together, deprecated) and
`*_micro_batch_size_per_gpu`, for the actor, the rollout's log-probabilities and the reference.

## Why it matters
Both or neither is refused, but only when the workers start.

## Example
    actor_rollout_ref.actor.ppo_micro_batch_size=32 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4

## Instead
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4

## Fix safety
Removing the deprecated one only prevents the refusal: safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_ACTOR = "actor_rollout_ref.actor"
_WHERE = (
    (f"{_ACTOR}.ppo_micro_batch_size", f"{_ACTOR}.use_dynamic_bsz"),
    ("actor_rollout_ref.rollout.log_prob_micro_batch_size", "actor_rollout_ref.rollout.log_prob_use_dynamic_bsz"),
    ("actor_rollout_ref.ref.log_prob_micro_batch_size", "actor_rollout_ref.ref.log_prob_use_dynamic_bsz"),
)
"""Each pair's deprecated key, and the switch that makes micro batches irrelevant."""


@rule(
    id="VE004",
    name="micro-batch-size-twice",
    summary="both the per-GPU and the deprecated global micro batch size are set, or neither",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/utils/config.py, verl/workers/config/actor.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/utils/config.py",
            "validate_config and ActorConfig raise ValueError if both of a pair are set, and if neither is.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each pair that is set twice or not at all."""
    if run.flag(f"verl:{_ACTOR}.use_dynamic_bsz") is not False:
        return
    for key, dynamic in _WHERE:
        if key.startswith("actor_rollout_ref.ref.") and not _reference(run):
            continue
        if run.flag(f"verl:{dynamic}") is True:
            continue
        total, each = run.integer(f"verl:{key}"), run.integer(f"verl:{key}_per_gpu")
        short = key.removeprefix("actor_rollout_ref.")
        if total is not None and each is not None:
            yield run.finding(
                f"{short} and {short}_per_gpu are both set: verl refuses the pair",
                (f"verl:{key}", "deprecated"),
                (f"verl:{key}_per_gpu", "the one to keep"),
                changes=(RemoveOption("verl", key, safe=True),),
            )
        elif total is None and each is None:
            yield run.finding(
                f"neither {short}_per_gpu nor {short} is set: verl refuses to start",
                f"verl:{key}_per_gpu",
                help=f"set {key}_per_gpu to the sequences one GPU can process at once",
            )


def _reference(run: Inquiry) -> bool:
    """Whether a reference policy takes part: only a KL term needs one."""
    return run.known("fact:kl_in_reward") is True or run.known("fact:kl_in_loss") is True
