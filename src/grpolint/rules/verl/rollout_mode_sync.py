"""The synchronous rollout that is gone.

## What it checks
`actor_rollout_ref.rollout.mode=sync` from 0.7 on, where only the asynchronous rollout is left.

## Why it matters
The run is refused when the rollout configuration is read. Scripts of older releases carry the option because it was
the default.

## Example
    actor_rollout_ref.rollout.mode=sync

## Instead
    actor_rollout_ref.rollout.mode=async

## Fix safety
Safe: it only lets the run get past the error.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import equals, together
from grpolint.rules.verl._trainer import ppo_trainer

_MODE = "actor_rollout_ref.rollout.mode"


@rule(
    id="VE012",
    name="rollout-mode-sync",
    summary="rollout.mode=sync was removed",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/config/rollout.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/rollout.py",
            "RolloutConfig raises ValueError for the mode sync; first released in 0.7.0.",
        ),
    ),
    when={"verl:actor_rollout_ref.rollout.mode": "sync"},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "rollout.mode=sync was removed in verl 0.7: the run is refused",
        equals(f"verl:{_MODE}", "sync", label="only async is left"),
        changes=(SetOption("verl", _MODE, "async", safe=True),),
    )
