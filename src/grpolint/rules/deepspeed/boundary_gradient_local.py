"""The last micro batch of a step stays on its own rank.

## What it checks
ZeRO stage 1 in bf16 with `data_types.grad_accum_dtype` fp32, without offloading and without
`immediate_grad_update`, with DeepSpeed from 0.18.6 to before 0.19.0 on several ranks.

## Why it matters
Gradients are reduced over the ranks before those of the last micro batch are added. Ranks step with different
gradients, by a share of one in the number of micro batches; with one micro batch nothing is averaged at all.

## Example
    {"bf16": {"enabled": true}, "data_types": {"grad_accum_dtype": "fp32"}, "zero_optimization": {"stage": 1}}

## Instead
    pip install 'deepspeed>=0.19.0'

## Fix safety
None is offered: the remedy is another release, or stage 2.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.values import Unknown

_TYPE = "deepspeed:data_types.grad_accum_dtype"


@rule(
    id="DS038",
    name="last-micro-batch-not-averaged",
    summary="bf16 with fp32 accumulation at stage 1 averages all micro batches but the last",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ">=0.18.6,<0.19.0"},
    when={_TYPE: SET, "fact:zero_stage": 1, "fact:bf16": True},
    evidence=(
        Evidence(
            "deepspeedai/DeepSpeed#7985",
            "https://github.com/deepspeedai/DeepSpeed/pull/7985",
            "Moves the accumulation before the reduction; reproduced by its author from 0.18.6 on, released in 0.19.0.",
        ),
        Evidence(
            "deepspeed 0.18.9: deepspeed/runtime/engine.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.18.9/deepspeed/runtime/engine.py",
            "_backward_epilogue reduces first and adds to the fp32 buffer afterwards.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.integer("fact:zero_stage") != 1 or run.flag("fact:bf16") is not True:
        return
    if run.text(_TYPE) not in ("fp32", "float32") or run.text("fact:offload_optimizer") not in (None, "none"):
        return
    if run.flag("deepspeed:bf16.immediate_grad_update") is True:
        return
    ranks = run.ask("fact:dp")
    several = None if ranks is None or isinstance(ranks, Unknown) else (run.integer("fact:dp") or 1) > 1
    if several is False:
        return
    version = run.run.settings["deepspeed"].version.text
    yield run.finding(
        f"DeepSpeed {version} does not average the last micro batch of a step over the ranks with these types at ZeRO stage 1",
        (_TYPE, "accumulated in fp32"),
        ("fact:bf16", "bf16"),
        ("fact:zero_stage", "stage 1"),
        notes=("fixed in deepspeed 0.19.0",),
        help="use deepspeed 0.19.0 or later, or ZeRO stage 2",
        severity=None if several else Severity.WARNING,
    )
