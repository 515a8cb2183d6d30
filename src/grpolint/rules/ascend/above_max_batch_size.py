"""Sizes of MindIE's schedule above maxBatchSize.

## What it checks
`maxPrefillBatchSize`, `maxPreemptCount` and `maxN` of `ScheduleConfig` must not exceed `maxBatchSize`.

## Why it matters
The service refuses to start.

## Example
    "maxBatchSize": 32, "maxPrefillBatchSize": 50

## Instead
    "maxBatchSize": 32, "maxPrefillBatchSize": 32

## Fix safety
Unsafe: throughput changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least

_BACKEND = "mindie:BackendConfig"
_SCHEDULE = f"{_BACKEND}.ScheduleConfig"
_BOUND = {"maxPrefillBatchSize": "sequences of a prefill batch", "maxPreemptCount": "preempted", "maxN": "samples"}


@rule(
    id="AS042",
    name="above-max-batch-size",
    summary="sizes of MindIE's schedule above maxBatchSize",
    severity=Severity.ERROR,
    frameworks={"mindie": ""},
    evidence=(
        Evidence(
            "MindIE 3.0.0: src/config_manager/schedule_config.cpp",
            "https://github.com/Ascend/MindIE-LLM/blob/v3.0.0/src/config_manager/schedule_config.cpp",
            "CheckParam bounds the three by maxBatchSize; a prefill batch of 0 stands for it.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each size above it."""
    for name, words in _BOUND.items():
        yield from at_least(
            run,
            Size.of(run, Term(f"{_SCHEDULE}.maxBatchSize", "maxBatchSize", "sequences of a batch")),
            Size.of(run, Term(f"{_SCHEDULE}.{name}", name, words)),
            "the service refuses to start",
        )
