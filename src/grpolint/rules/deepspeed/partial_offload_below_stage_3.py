"""A partial offload of optimizer states below ZeRO stage 3.

## What it checks
`offload_optimizer.ratio` below 1 at a stage other than 3.

## Why it matters
DeepSpeed refuses the configuration: only stage 3 can keep part of the states on the GPU.

## Example
    {"zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu", "ratio": 0.5}}}

## Instead
    {"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu", "ratio": 0.5}}}

## Fix safety
None is offered: another stage changes memory, speed and checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, below, rule, show

_RATIO = "deepspeed:zero_optimization.offload_optimizer.ratio"


@rule(
    id="DS009",
    name="partial-offload-below-stage-3",
    summary="offload_optimizer.ratio below 1 needs ZeRO stage 3",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ">=0.14"},
    evidence=(
        Evidence(
            "deepspeed 0.19.8: deepspeed/runtime/zero/config.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/zero/config.py",
            "offload_ratio_check asserts stage 3.",
        ),
    ),
    when={"deepspeed:zero_optimization.offload_optimizer.ratio": below(1)},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    ratio, stage = run.number(_RATIO), run.integer("fact:zero_stage")
    if ratio is not None and ratio < 1 and stage is not None and stage != 3:
        yield run.finding(
            f"offload_optimizer.ratio {show(ratio)} needs ZeRO stage 3, and the stage is {stage}",
            (_RATIO, "part of the states"),
            ("fact:zero_stage", f"stage {stage}"),
            help="use stage 3 or leave the ratio at 1.0",
        )
