"""No CUDA graphs.

## What it checks
The rollout engine runs eagerly (`enforce_eager`, SGLang's `--disable-cuda-graph`).

## Why it matters
The handbook: "disable CUDA graph for training", for safety. The option concerns the rollout engine alone.

## Example
    {"enforce_eager": false, "sleep_level": 1}

## Instead
    {"enforce_eager": true, "sleep_level": 1}

## Fix safety
Unsafe: decoding becomes slower.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import need
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("D05", "enforce-eager-on", "the rollout engine runs without CUDA graphs")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where CUDA graphs are on."""
    if need(run, "enforce_eager", "CUDA graphs of a rollout engine") is not True:
        yield run.finding(
            "the rollout engine uses CUDA graphs; the handbook wants enforce_eager",
            ("fact:enforce_eager", "CUDA graphs are on"),
            changes=remedy(run, "enforce_eager", True),
            help="run the engine eagerly",
        )
