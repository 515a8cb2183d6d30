"""No group of one response.

## What it checks
A group-relative advantage has more than one response of a prompt to compare. D07 asks for four.

## Why it matters
The handbook: a group of one degenerates to REINFORCE.

## Example
    {"group_size": 1, "use_critic": false}

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


@stated("N07", "no-group-size-one", "no group of one response")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for a group of one."""
    if group_size(run, 2) == 1:
        yield run.finding(
            "group size 1: GRPO degenerates to REINFORCE",
            ("fact:group_size", "1 for each prompt"),
            changes=remedy(run, "group_size", 8),
            help="sample 8 responses for each prompt",
        )
