"""Checkpoints without an interval.

## What it checks
`--save` on Megatron's command line without `--save-interval`.

## Why it matters
Megatron stops with an assertion on every rank.

## Example
    --save ckpt --train-iters 500

## Instead
    --save ckpt --save-interval 100 --train-iters 500

## Fix safety
None is offered: how often to save is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="MG028",
    name="save-without-interval",
    summary="--save needs --save-interval",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.7"},
    when={"megatron:save": SET},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts that save_interval is given where save is.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.run.trainer != "megatron" or run.text("megatron:save") in (None, ""):
        return
    if all(run.known(f"megatron:train_{unit}") is None for unit in ("iters", "samples")):
        return  # another program with arguments of these names
    if run.known("megatron:save_interval") is None:
        yield run.finding(
            "--save without --save-interval: Megatron refuses it",
            ("megatron:save", "where to save"),
            ("megatron:save_interval", "not given"),
            help="give --save-interval, in iterations",
        )
