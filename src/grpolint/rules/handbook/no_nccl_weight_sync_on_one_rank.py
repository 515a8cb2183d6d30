"""No transfer of weights by NCCL on one rank.

## What it checks
With one data-parallel rank the weights do not reach the rollout engine by NCCL. D09 says the same and more.

## Why it matters
The handbook: the naive way is enough.

## Example
    {"checkpoint_mode": "nccl", "dp": 1}

## Instead
    {"checkpoint_mode": "naive", "dp": 1}

## Fix safety
Unsafe: a trainer apart from its rollout engine needs another backend.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry, NotApplicable
from grpolint.rules.handbook._asking import need, ranks, training, unsaid
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("N10", "no-nccl-weight-sync-on-one-rank", "no transfer of weights by NCCL on one rank")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for NCCL on one rank."""
    training(run)
    if need(run, "weight_sync", "what carries weights to the rollout engine") not in ("nccl", "hccl"):
        return
    count = ranks(run)
    if count is None:
        raise unsaid(run, "dp")
    if count > 1:
        raise NotApplicable(f"{count} data-parallel ranks; the rule is for one")
    yield run.finding(
        "weights travel by NCCL with 1 data-parallel rank; the handbook forbids it",
        ("fact:weight_sync", "NCCL"),
        changes=remedy(run, "weight_sync", "naive"),
        help="hand weights over naively",
    )
