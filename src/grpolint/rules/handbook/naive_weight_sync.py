"""Naive weight transfer on one rank.

## What it checks
With one data-parallel rank the weights reach the rollout engine by verl's backend `naive`, which the handbook calls
the naive checkpoint. N10 repeats it for NCCL.

## Why it matters
The handbook: anything else is the overhead of a distribution that there is not.

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


@stated("D09", "naive-weight-sync", "weights are handed over naively on one rank")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for another backend on one rank."""
    training(run)
    backend = need(run, "weight_sync", "what carries weights to the rollout engine")
    count = ranks(run)
    if count is not None and count > 1:
        raise NotApplicable(f"{count} data-parallel ranks; the rule is for one")
    if backend in ("naive", "cuda_ipc"):  # the second is how OpenRLHF hands weights over on one device
        return
    if count is None:
        raise unsaid(run, "dp")
    yield run.finding(
        f"weights travel by {backend} with 1 data-parallel rank; the handbook wants naive",
        ("fact:weight_sync", str(backend)),
        changes=remedy(run, "weight_sync", "naive"),
        help="hand weights over naively",
    )
