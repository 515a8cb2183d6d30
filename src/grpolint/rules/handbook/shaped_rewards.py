"""Shaped rewards.

## What it checks
Rewards are declared as shaped (`reward_type`, `--fact reward_shape=shaped`): no option of a framework tells it. N11
repeats it for small groups.

## Why it matters
The handbook: flat outcome rewards leave groups without any difference.

## Example
    {"reward_type": "outcome", "use_critic": false}

## Instead
    {"reward_type": "shaped", "use_critic": false}

## Fix safety
Unsafe: another reward is another task.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import rewarded
from grpolint.rules.handbook._stated import stated


@stated("D12", "shaped-rewards", "rewards are graded, not only right or wrong")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for outcome rewards."""
    rewarded(run)
    shape = run.require("fact:reward_shape")
    if shape in ("outcome", "binary", "sparse", "flat"):
        yield run.finding(
            f"rewards are {shape}; the handbook wants shaped ones",
            ("fact:reward_shape", str(shape)),
            help="grade the rewards",
        )
