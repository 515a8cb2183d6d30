"""SGLang as the rollout engine.

## What it checks
The rollout engine is SGLang.

## Why it matters
The handbook: SGLang sleeps and wakes the way GRPO needs it.

## Example
    {"rollout_engine": "vllm"}

## Instead
    {"rollout_engine": "sglang"}

## Fix safety
Unsafe: another engine has other options.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import need
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("D15", "sglang-rollout", "SGLang generates the responses")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for another engine."""
    engine = need(run, "rollout_engine", "a rollout engine")
    if engine != "sglang":
        yield run.finding(
            f"the rollout engine is {engine}; the handbook wants sglang",
            ("fact:rollout_engine", str(engine)),
            changes=remedy(run, "rollout_engine", "sglang"),
            help="generate with SGLang",
        )
