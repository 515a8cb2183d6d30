"""Engines without devices.

## What it checks
`--rollout-num-gpus` has no default. It is needed unless the engines share the trainer's devices (`--colocate`), run
elsewhere, or are not started.

## Why it matters
slime adds nothing to the trainer's devices and fails with a TypeError.

## Example
    python3 train.py --actor-num-gpus-per-node 4 --rollout-num-gpus-per-engine 2

## Instead
    python3 train.py --actor-num-gpus-per-node 4 --rollout-num-gpus 4 --rollout-num-gpus-per-engine 2

## Fix safety
None is offered: sharing and separating the devices are both possible.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.slime._options import unless_lost


@rule(
    id="SL004",
    name="rollout-devices-missing",
    summary="no rollout-num-gpus without colocate",
    severity=Severity.ERROR,
    frameworks={"slime": ">=0.2"},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/ray/placement_group.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/ray/placement_group.py",
            "Where devices are not shared, the placement group has the trainer's devices plus rollout_num_gpus.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the number is needed and not given."""
    unless_lost(run)
    if run.known("slime:rollout_num_gpus") is not None or run.flag("slime:colocate") is True:
        return
    if run.flag("slime:debug_train_only") is True or run.known("slime:load_debug_rollout_data") is not None:
        return
    if run.flag("slime:rollout_external") is True or run.known("slime:rollout_external_engine_addrs") is not None:
        return
    yield run.finding(
        "rollout-num-gpus is not given and has no default: slime does not know how many devices its engines get",
        ("slime:actor_num_gpus_per_node", "only the trainer's devices are known"),
        help="give --rollout-num-gpus, or --colocate to share the trainer's devices",
    )
