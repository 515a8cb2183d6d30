"""Engines on the trainer's devices without what that needs.

## What it checks
`rollout.scheduling_strategy` with `type: colocation` and `target: actor` needs `enable_offload: true` and
`actor.weight_update_mode: disk`.

## Why it matters
The program stops with a ValueError before it loads anything.

## Example
    rollout:
      scheduling_strategy: {type: colocation, target: actor}

## Instead
    enable_offload: true
    actor:
      weight_update_mode: disk
    rollout:
      scheduling_strategy: {type: colocation, target: actor}

## Fix safety
None is offered: devices of their own for the engines are possible too.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import equals, off, together


@rule(
    id="AR008",
    name="colocation-incomplete",
    summary="engines on the trainer's devices without offload or disk updates",
    severity=Severity.ERROR,
    frameworks={"areal": ">=1.0.3"},
    evidence=(
        Evidence(
            "areal 1.0.4: areal/trainer/rl_trainer.py",
            "https://github.com/inclusionAI/AReaL/blob/v1.0.4/areal/trainer/rl_trainer.py",
            "_validate_cfg raises ValueError for each of the two.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each of the two that is missing."""
    if run.known("areal:rollout.scheduling_strategy.target") != "actor":
        return
    shares = equals("areal:rollout.scheduling_strategy.type", "colocation", label="shares the trainer's devices")
    yield from together(
        run,
        "engines on the trainer's devices are refused without enable_offload",
        shares,
        off("areal:enable_offload"),
        help="set enable_offload to true",
    )
    yield from together(
        run,
        "engines on the trainer's devices get their weights over the disk only",
        shares,
        equals("areal:actor.weight_update_mode", "xccl", label="refused with it"),
        help="set actor.weight_update_mode to disk",
    )
