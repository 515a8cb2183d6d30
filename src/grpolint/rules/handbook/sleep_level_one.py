"""Sleep level 1.

## What it checks
The rollout engine sleeps at vLLM's level 1. N04 repeats it for level 2 on an RTX 4090.

## Why it matters
The handbook: level 2 is a risk on an RTX 4090.

## Example
    {"sleep_level": 2}

## Instead
    {"sleep_level": 1}

## Fix safety
Unsafe: level 1 keeps a copy of the weights in the host's memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import sleep_level
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("D14", "sleep-level-one", "the rollout engine sleeps at level 1")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for another level."""
    level = sleep_level(run)
    if level != 1:
        yield run.finding(
            f"sleep level {level}; the handbook wants level 1",
            ("fact:sleep_level", f"level {level}"),
            changes=remedy(run, "sleep_level", 1),
            help="let the engine sleep at level 1",
        )
