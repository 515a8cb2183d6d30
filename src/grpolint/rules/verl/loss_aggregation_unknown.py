"""A way to aggregate the loss that verl does not know.

## What it checks
`actor.loss_agg_mode` against the modes of the release.

## Why it matters
The actor configuration is refused after Ray has started.

## Example
    actor_rollout_ref.actor.loss_agg_mode=seq-mean

## Instead
    actor_rollout_ref.actor.loss_agg_mode=seq-mean-token-mean

## Fix safety
None is offered: the modes weigh long and short answers differently.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_MODE = "actor_rollout_ref.actor.loss_agg_mode"
_MODES = ("token-mean", "seq-mean-token-sum", "seq-mean-token-mean", "seq-mean-token-sum-norm")


@rule(
    id="VE016",
    name="loss-aggregation-unknown",
    summary="loss_agg_mode is none of those that verl knows",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/config/actor.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/actor.py",
            "ActorConfig raises ValueError for a mode that is not in its list; token-sum is in it from 0.9 on.",
        ),
    ),
    when={"verl:actor_rollout_ref.actor.loss_agg_mode": SET},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    mode = run.text(f"verl:{_MODE}")
    version = run.run.settings["verl"].version.text
    known = (*_MODES, *(("token-sum",) if satisfies(version, ">=0.9") else ()))
    if mode is not None and mode not in known:
        yield run.finding(
            f"verl {version} does not know the loss_agg_mode {mode}",
            (f"verl:{_MODE}", "no such mode"),
            help=f"use one of {', '.join(known)}",
        )
