"""Not both bf16 and fp16.

## What it checks
One of the two 16-bit types at most is switched on.

## Why it matters
The handbook: a card of compute capability 8.9 needs bf16 alone.

## Example
    {"bf16": true, "fp16": true, "zero_stage": 2}

## Instead
    {"bf16": true, "fp16": false, "zero_stage": 2}

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import need, training
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated
from grpolint.values import plain


@stated("N17", "no-bf16-with-fp16", "not both bf16 and fp16")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where both are on."""
    training(run)
    brain, half = plain(run.ask("fact:bf16")), plain(run.ask("fact:fp16"))
    if brain is False or half is False:
        return
    need(run, "bf16", "bf16")
    need(run, "fp16", "fp16")
    yield run.finding(
        "bf16 and fp16 are both on; the handbook wants bf16 alone",
        ("fact:fp16", "fp16"),
        ("fact:bf16", "bf16"),
        changes=remedy(run, "fp16", False),
        help="switch fp16 off",
    )
