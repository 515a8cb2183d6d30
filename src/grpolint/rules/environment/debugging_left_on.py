"""A switch for debugging that slows every step.

## What it checks
`CUDA_LAUNCH_BLOCKING=1`, `HIP_LAUNCH_BLOCKING=1` and `TORCH_DISTRIBUTED_DEBUG=DETAIL` in a launch file.

## Why it matters
Launches that block wait for each kernel before the next one is queued; DETAIL makes every collective compare its arguments over all
ranks first. Both are for finding a fault and cost much of the speed in a run of days.

## Example
    export CUDA_LAUNCH_BLOCKING=1

## Instead
    # only while a fault is looked for

## Fix safety
None is offered: somebody may be looking for a fault.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_BLOCKING = ("CUDA_LAUNCH_BLOCKING", "HIP_LAUNCH_BLOCKING")


@rule(
    id="EN030",
    name="debugging-left-on",
    summary="a switch for debugging that slows every step",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"env:CUDA_LAUNCH_BLOCKING|env:HIP_LAUNCH_BLOCKING|env:TORCH_DISTRIBUTED_DEBUG": SET},
    evidence=(
        Evidence(
            "pytorch documentation: CUDA semantics, asynchronous execution",
            "https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution",
            "CUDA_LAUNCH_BLOCKING=1 makes computation synchronous, for errors that are shown where they happen.",
        ),
        Evidence(
            "pytorch documentation: distributed, debugging applications",
            "https://docs.pytorch.org/docs/stable/distributed.html#torch-distributed-debug",
            "DETAIL checks the consistency of every collective and is to be used only while debugging.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    for name in _BLOCKING:
        if name in run.run.env and run.text(f"env:{name}") == "1":
            yield run.finding(
                f"{name}=1 makes the program wait for every kernel", (f"env:{name}", "for debugging"), help="remove it"
            )
    name = "TORCH_DISTRIBUTED_DEBUG"
    if name in run.run.env and (run.text(f"env:{name}") or "").upper() == "DETAIL":
        yield run.finding(
            f"{name}=DETAIL checks every collective over all ranks", (f"env:{name}", "for debugging"), help="remove it"
        )
