"""At least four responses for each prompt.

## What it checks
The group size of a group-relative advantage is 4 or more. N07 repeats it for 1.

## Why it matters
The handbook: a group of one degenerates to REINFORCE, and small groups are too noisy.

## Example
    {"group_size": 2, "use_critic": false}

## Instead
    {"group_size": 8, "use_critic": false}

## Fix safety
Unsafe: a larger group multiplies the work of a step.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import group_size
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("D07", "group-size-at-least-four", "at least 4 responses for each prompt")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for fewer."""
    size = group_size(run, 4)
    if size < 4:
        yield run.finding(
            f"group size {size} < 4, the handbook's least",
            ("fact:group_size", f"{size} for each prompt"),
            changes=remedy(run, "group_size", 8),
            help="sample 8 responses for each prompt",
        )
