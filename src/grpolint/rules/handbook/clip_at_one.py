"""Gradient clipping at 1.0.

## What it checks
The norm at which gradients are clipped is 1.0, written or by default. N16 repeats the half about zero.

## Why it matters
The handbook: the default of 0.0 switches clipping off silently.

## Example
    {"gradient_clipping": 0.0, "zero_stage": 2}

## Instead
    {"gradient_clipping": 1.0, "zero_stage": 2}

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import number, training
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("D02", "clip-at-one", "gradients are clipped at a norm of 1.0")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for another norm."""
    training(run)
    norm = number(run, "clip_norm", "gradient clipping")
    if norm != 1:
        told = f"gradients are clipped at {norm:g}" if norm else "gradients are not clipped"
        yield run.finding(
            f"{told}; the handbook wants 1.0",
            ("fact:clip_norm", "clipping is off" if not norm else f"norm {norm:g}"),
            changes=remedy(run, "clip_norm", 1.0),
            help="clip gradients at 1.0",
        )
