"""ZeRO-3 where there is nothing to partition.

## What it checks
ZeRO stage 3 on one data parallel rank without parameter offloading.

## Why it matters
Partitioning over one rank saves nothing. Stage 3 still runs its hooks and gathers around every layer, and its checkpoints
need a conversion. On one rank it pays with `offload_param` only.

## Example
    deepspeed --num_gpus 1 train.py --deepspeed_config ds.json      with {"zero_optimization": {"stage": 3}}

## Instead
    deepspeed --num_gpus 1 train.py --deepspeed_config ds.json      with {"zero_optimization": {"stage": 2}}

## Fix safety
Unsafe: checkpoints of another stage cannot be resumed.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="DS016",
    name="zero3-on-one-rank",
    summary="ZeRO stage 3 on one rank without parameter offloading",
    severity=Severity.INFO,
    frameworks={"deepspeed": ""},
    when={"fact:zero_stage": 3, "fact:dp": 1},
    evidence=(
        Evidence(
            "deepspeed 0.19.8: deepspeed/runtime/zero/partition_parameters.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/zero/partition_parameters.py",
            "Parameters are split by the number of data parallel ranks: over one rank the partition is the whole.",
        ),
        Evidence(
            "DeepSpeed documentation: configuration JSON",
            "https://www.deepspeed.ai/docs/config-json/",
            "Parameter offload is valid with stage 3 only, optimizer offload with every stage.",
        ),
    ),
    aliases=("D01", "N01"),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if stage 3 neither partitions nor offloads."""
    if run.integer("fact:zero_stage") != 3 or run.integer("fact:dp") != 1:
        return
    if run.text("fact:offload_params") not in (None, "none"):
        return
    yield run.finding(
        "ZeRO-3 on one data parallel rank saves no memory: nothing is partitioned and no parameters are offloaded",
        ("fact:zero_stage", "stage 3"),
        ("fact:dp", ""),
        help="use stage 2, with offload_optimizer where optimizer states do not fit, or add offload_param",
    )
