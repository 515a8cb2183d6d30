"""A micro batch size given twice, or not at all.

## What it checks
Without dynamic batching verl wants exactly one of `*_micro_batch_size` (all devices together, deprecated) and
`*_micro_batch_size_per_gpu`: for the actor, the critic, and the log-probabilities of rollout and reference.

## Why it matters
Both or neither is refused, after Ray has started.

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
from grpolint.rules.api import Evidence, Inquiry, Undecided, rule
from grpolint.rules.verl._trainer import foreign, start_check

_ACTOR = "actor_rollout_ref.actor"
_DYNAMIC = f"{_ACTOR}.use_dynamic_bsz"
_WHERE: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (f"{_ACTOR}.ppo_micro_batch_size", _DYNAMIC, ()),
    ("actor_rollout_ref.rollout.log_prob_micro_batch_size", _DYNAMIC, ()),
    ("actor_rollout_ref.ref.log_prob_micro_batch_size", _DYNAMIC, ("kl_in_reward", "kl_in_loss")),
    ("critic.ppo_micro_batch_size", "critic.use_dynamic_bsz", ("uses_critic",)),
)
"""Each pair's deprecated key, the switch that makes micro batches irrelevant, and the facts that make it count.

verl asks the actor's switch for the log-probabilities too, whatever their own says.
"""


@rule(
    id="VE004",
    name="micro-batch-size-twice",
    summary="both the per-GPU and the deprecated global micro batch size are set, or neither",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.2"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/utils/config.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/utils/config.py",
            "validate_config raises ValueError if both of a pair are set, and if neither is.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/config/actor.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/actor.py",
            "ActorConfig does the same for the actor.",
        ),
    ),
)
@start_check
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each pair that is set twice or not at all."""
    for key, dynamic, needed in _WHERE:
        if (needed and not _any(run, needed)) or run.flag(f"verl:{dynamic}") is not False:
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
        elif total is None and each is None and run.run.launch is not None:  # a base file may leave it to the launch
            if (program := foreign(run)) is not None:  # what it asks for is not known
                raise Undecided(f"program:{program}")
            yield run.finding(
                f"neither {short}_per_gpu nor {short} is set: verl refuses to start",
                f"verl:{key}_per_gpu",
                help=f"set {key}_per_gpu to the sequences one GPU can process at once",
            )


def _any(run: Inquiry, facts: tuple[str, ...]) -> bool:
    return any(run.known(f"fact:{name}") is True for name in facts)
