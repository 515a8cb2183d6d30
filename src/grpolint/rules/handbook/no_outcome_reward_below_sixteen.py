"""No outcome reward with small groups.

## What it checks
The group size is 16 or more. Below it the handbook warns, of its own configuration too, whose rewards are shaped: no
file shows that they are. D12 says the same of rewards.

## Why it matters
The handbook: outcome rewards are too noisy for small groups.

## Example
    {"group_size": 8, "reward_type": "outcome", "use_critic": false}

## Instead
    {"group_size": 16, "reward_type": "outcome", "use_critic": false}

## Fix safety
Unsafe: a larger group multiplies the work of a step.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import group_size
from grpolint.rules.handbook._stated import stated
from grpolint.values import plain


@stated("N11", "no-outcome-reward-below-sixteen", "no outcome reward with groups of fewer than 16", Severity.WARNING)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a warning for smaller groups."""
    size = group_size(run, 16)
    if size >= 16:
        return
    shape = plain(run.ask("fact:reward_shape"))
    told = (
        f"rewards are declared {shape}: see that none is a mere outcome" if shape == "shaped" else "grade the rewards"
    )
    yield run.finding(
        f"group size {size} < 16: an outcome reward is too noisy for it",
        ("fact:group_size", f"{size} for each prompt"),
        ("fact:reward_shape", f"{shape} rewards"),
        help=f"{told}, or sample 16 responses for each prompt",
    )
