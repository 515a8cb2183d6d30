"""Engines and trainer on the same devices in an AReaL that cannot take turns.

## What it checks
`allocation_mode` with `|` between the engine's part and the trainer's before AReaL 0.4.1.

## Why it matters
These releases read the notation and start both at once on the same devices: neither gives its memory back, and the run ends
out of memory however small the batches are.

## Example
    allocation_mode: sglang.d8p1t1|d8p1t1

## Instead
    allocation_mode: sglang.d4p1t1+d4p1t1

## Fix safety
None is offered: how to share the devices out is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_MODE = "areal:allocation_mode"


@rule(
    id="AR150",
    name="colocation-unsupported",
    summary="allocation_mode with | before AReaL 0.4.1",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"areal": ">=0.3,<0.4.1"},
    when={_MODE: SET},
    evidence=(
        Evidence(
            "areal-project/AReaL#541",
            "https://github.com/areal-project/AReaL/issues/541",
            "sglang.d8p1t1|d4p1t1 ran out of memory; full colocation is not supported, says a maintainer: servers and trainers are"
            " launched on the same GPUs and nothing is offloaded.",
        ),
        Evidence(
            "areal 0.4.0: areal/api/alloc_mode.py",
            "https://github.com/inclusionAI/AReaL/blob/v0.4.0/areal/api/alloc_mode.py",
            "The grammar has | between the engine's part and the trainer's.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if an engine and a trainer share devices."""
    mode = run.text(_MODE) or ""
    engine, bar, trainer = mode.partition("|")
    if bar and trainer and engine.strip().startswith(("sglang", "vllm")):
        yield run.finding(
            f"allocation_mode {mode} starts engines and trainer on the same devices, and neither gives way in this release",
            (_MODE, "at the same time"),
            help="share the devices out with +, as in sglang.d4p1t1+d4p1t1",
        )
