"""Gating in FP32.

## What it checks
The router of a mixture of experts computes in FP32, or in FP64. N14 repeats it for FP16.

## Why it matters
The handbook: a softmax in FP16 gives NaN.

## Example
    {"gating_dtype": "bf16"}

## Instead
    {"gating_dtype": "fp32"}

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import dense, flat
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("D17", "fp32-gating", "the router of a mixture of experts computes in FP32")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for another type."""
    dense(run)
    dtype = run.known("fact:router_dtype")
    if dtype is None:
        if not flat(run):
            run.require("fact:moe")
        dtype = run.require("fact:router_dtype")
    if dtype not in ("fp32", "fp64"):
        yield run.finding(
            f"the router computes in {dtype}; the handbook wants fp32",
            ("fact:router_dtype", str(dtype)),
            changes=remedy(run, "router_dtype", "fp32"),
            help="compute the router in fp32",
        )
