"""No ZeRO-3.

## What it checks
DeepSpeed does not shard at stage 3. D01 says the same and more.

## Why it matters
The handbook: with one data-parallel rank it is pure overhead. It does not say what holds with several.

## Example
    {"zero_stage": 3}

## Instead
    {"zero_stage": 2}

## Fix safety
Unsafe: another stage changes the format of checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import deepspeed, ranks
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("N01", "no-zero3", "no ZeRO stage 3")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for stage 3."""
    stage = deepspeed(run, "zero_stage")
    if stage == 3:
        count = ranks(run)
        few = f" with {count} data-parallel rank{'s' if count != 1 else ''}" if count is not None else ""
        yield run.finding(
            f"ZeRO stage 3{few}; the handbook forbids it",
            ("fact:zero_stage", "stage 3"),
            changes=remedy(run, "zero_stage", 2),
            help="shard at stage 2",
        )
