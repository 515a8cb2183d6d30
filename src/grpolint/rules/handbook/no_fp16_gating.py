"""No gating in FP16.

## What it checks
The router of a mixture of experts does not compute in FP16. D17 asks for FP32.

## Why it matters
The handbook: a softmax in FP16 gives NaN.

## Example
    {"gating_dtype": "fp16"}

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


@stated("N14", "no-fp16-gating", "no gating in FP16")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for FP16."""
    dense(run)
    dtype = run.known("fact:router_dtype")
    if dtype is None:
        if not flat(run):
            run.require("fact:moe")
        dtype = run.require("fact:router_dtype")
    if dtype == "fp16":
        yield run.finding(
            "the router computes in fp16; the handbook forbids it",
            ("fact:router_dtype", "fp16"),
            changes=remedy(run, "router_dtype", "fp32"),
            help="compute the router in fp32",
        )
