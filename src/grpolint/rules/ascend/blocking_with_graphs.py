"""Blocking launches with graphs of vllm-ascend.

## What it checks
`ASCEND_LAUNCH_BLOCKING=1` with a vLLM rollout that captures graphs (enforce_eager off).

## Why it matters
vllm-ascend raises: ACL graphs cannot be captured with blocking launches.

## Example
    export ASCEND_LAUNCH_BLOCKING=1   # rollout.enforce_eager=False

## Instead
    export ASCEND_LAUNCH_BLOCKING=0

## Fix safety
None is offered: somebody may be looking for a fault, and wants enforce_eager for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_NAME = "env:ASCEND_LAUNCH_BLOCKING"


@rule(
    id="AS014",
    name="blocking-with-graphs",
    summary="ASCEND_LAUNCH_BLOCKING=1 with graphs of vllm-ascend",
    severity=Severity.ERROR,
    when={_NAME: "1", "fact:rollout_engine": "vllm"},
    evidence=(
        Evidence(
            "vllm-ascend 0.18.0: vllm_ascend/platform.py",
            "https://github.com/vllm-project/vllm-ascend/blob/v0.18.0/vllm_ascend/platform.py",
            "Raises ValueError for ASCEND_LAUNCH_BLOCKING=1 unless cudagraph_mode is NONE; so do 0.11.0 and 0.13.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if graphs are captured."""
    if (
        run.text(_NAME) == "1"
        and run.text("fact:rollout_engine") == "vllm"
        and run.known("fact:enforce_eager") is False
    ):
        yield run.finding(
            "vllm-ascend captures no graphs while launches block, and stops",
            (_NAME, "launches block"),
            ("fact:enforce_eager", "graphs are captured"),
            help="set ASCEND_LAUNCH_BLOCKING=0, or enforce_eager for debugging",
        )
