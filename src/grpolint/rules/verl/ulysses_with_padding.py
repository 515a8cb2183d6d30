"""Ulysses sequence parallelism on padded batches.

## What it checks
`ulysses_sequence_parallel_size` above 1 while `actor_rollout_ref.model.use_remove_padding` is off.

## Why it matters
verl refuses the combination when the worker configuration is validated, after Ray has started.

## Example
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=2 actor_rollout_ref.model.use_remove_padding=False

## Instead
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=2 actor_rollout_ref.model.use_remove_padding=True

## Fix safety
Safe: it only lets the run get past the error.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_ULYSSES = "actor_rollout_ref.actor.ulysses_sequence_parallel_size"
_PADDING = "actor_rollout_ref.model.use_remove_padding"


@rule(
    id="VE008",
    name="ulysses-with-padding",
    summary="Ulysses sequence parallelism needs use_remove_padding=True",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.2"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/config/actor.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/actor.py",
            "FSDPActorConfig.validate raises ValueError for the combination.",
        ),
    ),
    when={"verl:actor_rollout_ref.actor.ulysses_sequence_parallel_size": above(1)},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the combination."""
    strategy = run.text("verl:actor_rollout_ref.actor.strategy")
    if strategy != "fsdp" and (strategy != "fsdp2" or satisfies(run.run.settings["verl"].version.text, "<0.5")):
        return
    size = run.integer(f"verl:{_ULYSSES}")
    if size is not None and size > 1 and run.flag(f"verl:{_PADDING}") is False:
        yield run.finding(
            f"ulysses_sequence_parallel_size {size} splits sequences, which verl does only without padding",
            (f"verl:{_ULYSSES}", "sequence parallel"),
            (f"verl:{_PADDING}", "batches stay padded"),
            changes=(SetOption("verl", _PADDING, value=True, safe=True),),
        )
