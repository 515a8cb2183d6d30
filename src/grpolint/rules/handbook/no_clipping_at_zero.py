"""No gradient clipping of 0.0.

## What it checks
Gradient clipping is not switched off, written or by default. D02 says the same and more.

## Why it matters
The handbook: 0.0 switches clipping off silently.

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


@stated("N16", "no-clipping-at-zero", "gradient clipping is not zero")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for zero."""
    training(run)
    if number(run, "clip_norm", "gradient clipping") == 0:
        yield run.finding(
            "gradient clipping of 0.0 is no clipping",
            ("fact:clip_norm", "clipping is off"),
            changes=remedy(run, "clip_norm", 1.0),
            help="clip gradients at 1.0",
        )
