"""No sleep level 2 on an RTX 4090.

## What it checks
The rollout engine does not sleep at level 2 on an RTX 4090. D14 asks for level 1 everywhere.

## Why it matters
The handbook: weights get corrupted.

## Example
    {"sleep_level": 2, "gpu": "rtx4090"}

## Instead
    {"sleep_level": 1, "gpu": "rtx4090"}

## Fix safety
Unsafe: level 1 keeps a copy of the weights in the host's memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.hardware import find_gpu
from grpolint.rules.api import Inquiry, NotApplicable
from grpolint.rules.handbook._asking import sleep_level
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("N04", "no-sleep-level-two", "no sleep level 2 on an RTX 4090")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for level 2 on that card."""
    if sleep_level(run) != 2:
        return
    gpu = find_gpu(str(run.require("fact:gpu")))
    if gpu is None or gpu.name != "RTX 4090":
        raise NotApplicable(f"the rule is for the RTX 4090, not for the {run.known('fact:gpu')}")
    yield run.finding(
        "sleep level 2 on an RTX 4090; the handbook forbids it",
        ("fact:sleep_level", "level 2"),
        ("fact:gpu", "RTX 4090"),
        changes=remedy(run, "sleep_level", 1),
        help="let the engine sleep at level 1",
    )
