"""No Muon.

## What it checks
The optimizer is not Muon. N13 says the same of Megatron's chained optimizers.

## Why it matters
The handbook: its step does not depend on the gradient's scale, and clipping stalls it.

## Example
    {"optimizer": "muon", "zero_stage": 2}

## Instead
    {"optimizer": "cpu_adam", "zero_stage": 2}

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import need, training
from grpolint.rules.handbook._stated import stated


@stated("N02", "no-muon", "no Muon optimizer")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for Muon."""
    training(run)
    name = str(need(run, "optimizer", "an optimizer"))
    if "muon" in name:
        yield run.finding(
            f"the optimizer is {name}; the handbook forbids Muon", ("fact:optimizer", name), help="train with Adam"
        )
