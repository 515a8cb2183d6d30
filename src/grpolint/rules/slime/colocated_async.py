"""Asynchronous training on shared devices.

## What it checks
`--colocate` with `train_async.py`.

## Why it matters
The engines would generate while the trainer holds the devices: `train_async.py` stops with an assertion.

## Example
    python3 train_async.py --colocate --actor-num-gpus-per-node 8

## Instead
    python3 train_async.py --actor-num-gpus-per-node 4 --rollout-num-gpus 4

## Fix safety
None is offered: the devices have to be shared out anew, or `train.py` is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="SL008",
    name="colocated-async",
    summary="colocate with train_async.py",
    severity=Severity.ERROR,
    frameworks={"slime": ">=0.1"},
    evidence=(
        Evidence(
            "slime 0.3.1: train_async.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/train_async.py",
            "train asserts that colocate is off.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if both meet."""
    program = run.run.program.rsplit("/", 1)[-1]
    if program != "train_async.py" or run.flag("slime:colocate") is not True:
        return
    if run.flag("slime:debug_rollout_only") is True:  # switches colocate off
        return
    yield run.finding(
        "train_async.py refuses colocate: the engines generate while the trainer works",
        ("slime:colocate", "shares the devices"),
        help="start train.py, or give the engines devices of their own with --rollout-num-gpus",
    )
