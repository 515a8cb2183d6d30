"""Tensor parallelism at ZeRO stage 3.

## What it checks
`tensor_parallel.autotp_size` (OpenRLHF's `ds.tensor_parallel_size`) above 1 at ZeRO stage 3, with DeepSpeed from
0.16.4 to before 0.19.4.

## Why it matters
DeepSpeed stops with an assertion when the engine is made: the two had not been made to work together.

## Example
    {"tensor_parallel": {"autotp_size": 2}, "zero_optimization": {"stage": 3}}

## Instead
    {"tensor_parallel": {"autotp_size": 2}, "zero_optimization": {"stage": 2}}

## Fix safety
None is offered: another stage or release is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_SIZE = "deepspeed:tensor_parallel.autotp_size"


@rule(
    id="DS040",
    name="tensor-parallel-at-stage-3",
    summary="DeepSpeed's tensor parallelism at ZeRO stage 3 before 0.19.4",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ">=0.16.4,<0.19.4"},
    when={_SIZE: above(1), "fact:zero_stage": 3},
    evidence=(
        Evidence(
            "deepspeed 0.19.3: deepspeed/runtime/engine.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.3/deepspeed/runtime/engine.py",
            "_configure_tensor_parallel_states asserts a stage of at most 2; gone in 0.19.4.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    size = run.integer(_SIZE)
    if size is None or size < 2 or run.integer("fact:zero_stage") != 3:
        return
    version = run.run.settings["deepspeed"].version.text
    yield run.finding(
        f"DeepSpeed {version} refuses tensor parallel size {size} at ZeRO stage 3",
        (_SIZE, f"{size} ranks"),
        ("fact:zero_stage", "stage 3"),
        notes=("possible from deepspeed 0.19.4 on",),
        help="use stage 2, or deepspeed 0.19.4 or later",
    )
