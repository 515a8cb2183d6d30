"""MindIE's maxPrefillTokens is below maxInputTokenLen.

## What it checks
`ScheduleConfig.maxPrefillTokens` against `ModelDeployConfig.maxInputTokenLen`, unless `templateType` is `Mix`, where
long inputs are cut into pieces.

## Why it matters
An input of full length would fit into no prefill batch; the service refuses to start.

## Example
    "maxInputTokenLen": 16384, "maxPrefillTokens": 8192

## Instead
    "maxInputTokenLen": 16384, "maxPrefillTokens": 16384

## Fix safety
Unsafe: larger prefill batches take more memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least

_BACKEND = "mindie:BackendConfig"
_DEPLOY = f"{_BACKEND}.ModelDeployConfig"
_SCHEDULE = f"{_BACKEND}.ScheduleConfig"


@rule(
    id="AS040",
    name="prefill-below-input",
    summary="MindIE's maxPrefillTokens is below maxInputTokenLen",
    severity=Severity.ERROR,
    frameworks={"mindie": ""},
    evidence=(
        Evidence(
            "MindIE 3.0.0: src/config_manager/config_manager_impl.cpp",
            "https://github.com/Ascend/MindIE-LLM/blob/v3.0.0/src/config_manager/config_manager_impl.cpp",
            "The configuration is refused where maxPrefillTokens is below maxInputTokenLen and the template is not Mix.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with both numbers if a full input does not fit."""
    if run.known(f"{_SCHEDULE}.templateType") == "Mix":
        return
    yield from at_least(
        run,
        Size.of(run, Term(f"{_SCHEDULE}.maxPrefillTokens", "maxPrefillTokens", "tokens of a prefill batch")),
        Size.of(run, Term(f"{_DEPLOY}.maxInputTokenLen", "maxInputTokenLen", "longest input")),
        "the service refuses to start",
    )
