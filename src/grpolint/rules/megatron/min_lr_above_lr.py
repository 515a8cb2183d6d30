"""A minimum above the learning rate.

## What it checks
`--min-lr` above `--lr` on Megatron's command line, in slime too.

## Why it matters
Megatron stops with an assertion on every rank. It happens when a script for pretraining is reused with the small
rates of reinforcement learning.

## Example
    --lr 1e-6 --min-lr 1e-5

## Instead
    --lr 1e-6 --min-lr 1e-7

## Fix safety
None is offered: which of the rates to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule, show


@rule(
    id="MG029",
    name="min-lr-above-lr",
    summary="min-lr is above lr",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.7"},
    when={"megatron:min_lr": SET},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts that min_lr is not above lr.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    rate, least = run.number("megatron:lr"), run.number("megatron:min_lr")
    if rate is not None and least is not None and least > rate:
        yield run.finding(
            f"min-lr {show(least)} is above lr {show(rate)}: Megatron refuses it",
            ("megatron:min_lr", "lower bound"),
            ("megatron:lr", "learning rate"),
            help="give --min-lr below --lr, or leave it out",
        )
