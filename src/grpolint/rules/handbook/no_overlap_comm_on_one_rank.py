"""No overlap_comm on one rank.

## What it checks
DeepSpeed's `overlap_comm` is off where there is one data-parallel rank.

## Why it matters
The handbook: there is nothing to overlap, and NaN to be had.

## Example
    {"overlap_comm": true, "zero_stage": 2, "dp": 1}

## Instead
    {"overlap_comm": false, "zero_stage": 2, "dp": 1}

## Fix safety
Unsafe: it is another order of the reduction.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry, NotApplicable
from grpolint.rules.handbook._asking import deepspeed, ranks, unsaid
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("N03", "no-overlap-comm-on-one-rank", "no overlap_comm with one data-parallel rank")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where it is on."""
    if deepspeed(run, "overlap_comm") is not True:
        return
    count = ranks(run)
    if count is None:
        raise unsaid(run, "dp")
    if count > 1:
        raise NotApplicable(f"{count} data-parallel ranks; the rule is for one")
    yield run.finding(
        "overlap_comm is on with 1 data-parallel rank: there is nothing to overlap",
        ("fact:overlap_comm", "on"),
        changes=remedy(run, "overlap_comm", False),
        help="switch overlap_comm off",
    )
