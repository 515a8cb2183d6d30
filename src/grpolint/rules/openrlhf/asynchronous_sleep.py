"""Asynchronous training with engines that sleep.

## What it checks
`--train.async_enable` (formerly `--async_train`) together with `--vllm.enable_sleep` and colocated models. Without
colocated models OpenRLHF switches sleeping off itself.

## Why it matters
The program stops with an assertion at the start: engines that generate all the time cannot sleep.

## Example
    --train.async_enable --train.colocate_all --vllm.enable_sleep

## Instead
    --train.async_enable --train.colocate_all

## Fix safety
Safe: it only lets the run get past the error.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import on, together


@rule(
    id="OR003",
    name="asynchronous-engines-asleep",
    summary="asynchronous training with engines that sleep",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.8"},
    evidence=(
        Evidence(
            "openrlhf 0.11.2: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.2/openrlhf/cli/train_ppo_ray.py",
            "Asserts that engines do not sleep where training is asynchronous.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "asynchronous training keeps the engines busy: OpenRLHF refuses vllm.enable_sleep with it",
        on("openrlhf:train.async_enable", "asynchronous"),
        on("openrlhf:vllm.enable_sleep", "sleep mode"),
        on("openrlhf:train.colocate_all", "models share GPUs"),
        changes=(RemoveOption("openrlhf", "vllm.enable_sleep", safe=True),),
    )
