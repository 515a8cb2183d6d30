"""No torch.compile together with overlap_comm.

## What it checks
The model is not compiled, or DeepSpeed's `overlap_comm` is off: one of the two is enough.

## Why it matters
The handbook: both together give NaN.

## Example
    {"torch_compile": true, "overlap_comm": true, "zero_stage": 2}

## Instead
    {"torch_compile": true, "overlap_comm": false, "zero_stage": 2}

## Fix safety
Unsafe: it is another order of the reduction.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import deepspeed, training, unsaid
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated
from grpolint.values import plain


@stated("N15", "no-compile-with-overlap-comm", "no torch.compile together with overlap_comm")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where both are on."""
    training(run)
    overlap, compiled = plain(run.ask("fact:overlap_comm")), plain(run.ask("fact:torch_compile"))
    if overlap is False or compiled is False:
        return
    deepspeed(run, "overlap_comm")
    if compiled is None:
        raise unsaid(run, "torch_compile")
    yield run.finding(
        "torch.compile and overlap_comm are both on",
        ("fact:overlap_comm", "reduces on a stream of its own"),
        ("fact:torch_compile", "compiled"),
        changes=remedy(run, "overlap_comm", False),
        help="switch overlap_comm off",
    )
