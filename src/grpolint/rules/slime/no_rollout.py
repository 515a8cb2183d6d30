"""A run of no rollout at all.

## What it checks
`--num-rollout 0` in releases up to 0.3.1, as people write it to evaluate only.

## Why it matters
The schedule of the learning rate gets a length of 0 * samples // global batch = 0, and Megatron stops with a bare assertion on
its decay steps before anything is evaluated.

## Example
    --num-rollout 0 --eval-interval 25

## Instead
    --num-rollout 1 --eval-interval 1

## Fix safety
None is offered: one rollout trains one step.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="SL150",
    name="no-rollout",
    summary="num-rollout 0 in releases that cannot build a schedule for it",
    severity=Severity.ERROR,
    frameworks={"slime": ">=0.2,<=0.3.1"},
    when={"slime:num_rollout": 0},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/backends/megatron_utils/model.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/backends/megatron_utils/model.py",
            "train_iters is num_rollout * rollout_batch_size * n_samples_per_prompt // global_batch_size, and lr_decay_iters the"
            " same where it is not given; Megatron asserts that the decay steps are above zero.",
        ),
        Evidence(
            "THUDM/slime#1785",
            "https://github.com/THUDM/slime/issues/1785",
            "num_rollout 0 for an evaluation alone ends in an error instead.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if there is no rollout and no length of the schedule of its own."""
    if run.integer("slime:num_rollout") != 0 or run.is_set("megatron:lr_decay_iters"):
        return
    if run.text("slime:train_backend") == "fsdp" or run.flag("slime:debug_rollout_only") is True:
        return
    yield run.finding(
        "num-rollout 0 makes a schedule of 0 steps, which Megatron refuses",
        ("slime:num_rollout", "no step"),
        help="give --lr-decay-iters 1 beside it, or one rollout",
    )
