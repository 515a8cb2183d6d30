"""A run without an end.

## What it checks
Whether `--num-rollout` or `--num-epoch` is given, and that epochs have a data set to count.

## Why it matters
slime stops with an assertion before anything is started.

## Example
    python3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8

## Instead
    python3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8 --num-rollout 1000

## Fix safety
None is offered: how long to train is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.slime._options import unless_lost


@rule(
    id="SL012",
    name="training-length-missing",
    summary="neither num-rollout nor num-epoch is given",
    severity=Severity.ERROR,
    frameworks={"slime": ">=0.2"},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/utils/arguments.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/utils/arguments.py",
            "slime_validate_args asserts one of them, and the global data set where epochs are counted.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if neither is given, or epochs of no data set."""
    unless_lost(run)
    if run.known("slime:num_rollout") is not None:
        return
    if run.known("slime:num_epoch") is None:
        yield run.finding(
            "neither num-rollout nor num-epoch is given: slime does not know when to end",
            help="give --num-rollout or --num-epoch",
        )
    elif run.flag("slime:rollout_global_dataset") is False:
        yield run.finding(
            "num-epoch counts passes over the global data set, which disable-rollout-global-dataset switches off",
            ("slime:num_epoch", "counts passes"),
            ("slime:rollout_global_dataset", "no data set to count"),
            help="give --num-rollout instead",
        )
