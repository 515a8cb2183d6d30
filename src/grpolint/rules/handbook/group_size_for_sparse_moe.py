"""At least eight responses for each prompt with a mixture of experts.

## What it checks
The group size is 8 or more, or the policy is no mixture of experts.

## Why it matters
The handbook: sparse models need larger groups.

## Example
    {"group_size": 4, "moe": true, "use_critic": false}

## Instead
    {"group_size": 8, "moe": true, "use_critic": false}

## Fix safety
Unsafe: a larger group multiplies the work of a step.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import dense, group_size
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("D13", "group-size-eight-for-sparse-moe", "at least 8 responses for each prompt with a mixture of experts")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for a smaller group of a mixture of experts."""
    dense(run)
    size = group_size(run, 8)
    if size >= 8:
        return
    if run.require("fact:moe") is True:
        yield run.finding(
            f"group size {size} < 8, the handbook's least for a mixture of experts",
            ("fact:group_size", f"{size} for each prompt"),
            ("fact:moe", "mixture of experts"),
            changes=remedy(run, "group_size", 8),
            help="sample 8 responses for each prompt",
        )
