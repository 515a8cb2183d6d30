"""Overlapped communication where nobody communicates.

## What it checks
`overlap_comm` switched on at ZeRO stage 1 or 2 on one data parallel rank.

## Why it matters
With one rank no gradients are reduced over a network: there is nothing to overlap with, and the extra stream and buffers
remain. It is off by default at these stages.

## Example
    deepspeed --num_gpus 1 train.py --deepspeed_config ds.json      with {"zero_optimization": {"stage": 2, "overlap_comm": true}}

## Instead
    deepspeed --num_gpus 1 train.py --deepspeed_config ds.json      with {"zero_optimization": {"stage": 2}}

## Fix safety
Safe: it changes no result.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.deepspeed._overlap import without_overlap


@rule(
    id="DS017",
    name="overlap-comm-on-one-rank",
    summary="overlap_comm on one data parallel rank",
    severity=Severity.INFO,
    frameworks={"deepspeed": ""},
    when={"fact:overlap_comm": True, "fact:dp": 1},
    evidence=(
        Evidence(
            "deepspeed 0.19.8: deepspeed/runtime/zero/config.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/zero/config.py",
            "overlap_comm is true by default at stage 3 only.",
        ),
    ),
    aliases=("N03",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if somebody asked for overlap on one rank."""
    if run.integer("fact:zero_stage") not in (1, 2) or run.flag("fact:overlap_comm") is not True:
        return
    if run.integer("fact:dp") == 1:
        yield run.finding(
            "overlap_comm on one data parallel rank has nothing to overlap: no gradients are exchanged",
            ("fact:overlap_comm", "without effect"),
            ("fact:dp", ""),
            changes=without_overlap(run),
        )
