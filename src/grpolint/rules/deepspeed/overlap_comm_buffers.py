"""Buffers that DeepSpeed gives back before the overlapped reduction has used them.

## What it checks
ZeRO stage 1 or 2 with `overlap_comm` before DeepSpeed 0.19.0.

## Why it matters
The results of the reduction were used on a stream that the memory allocator was not told of, so that it could hand the same
memory out again while the copy was still to come. DeepSpeed's own comparison of the stages saw a NaN loss at the third
step of stage 2. Whether it happens depends on timing.

## Example
    {"zero_optimization": {"stage": 2, "overlap_comm": true}}      with deepspeed 0.18.9

## Instead
    {"zero_optimization": {"stage": 2, "overlap_comm": false}}

## Fix safety
Safe: it costs time and changes no result.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.deepspeed._overlap import without_overlap
from grpolint.values import plain


@rule(
    id="DS013",
    name="overlap-comm-buffers",
    summary="overlap_comm at ZeRO stage 1 or 2 before DeepSpeed 0.19.0",
    severity=Severity.INFO,
    confidence=Confidence.MEDIUM,
    frameworks={"deepspeed": "<0.19.0"},
    when={"fact:zero_stage": (1, 2), "fact:overlap_comm": True},
    evidence=(
        Evidence(
            "deepspeedai/DeepSpeed#7965",
            "https://github.com/deepspeedai/DeepSpeed/pull/7965",
            "NaN loss at ZeRO-2 where stages 1 and 3 were right; the buffers are recorded on the reduction's stream since 0.19.0.",
        ),
        Evidence(
            "deepspeed 0.19.0: deepspeed/runtime/zero/stage_1_and_2.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.0/deepspeed/runtime/zero/stage_1_and_2.py",
            "record_stream is called for the reduced buffers; 0.18.9 has no such call.",
        ),
    ),
    aliases=("D10",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the combination, unless one rank reduces nothing."""
    if run.integer("fact:zero_stage") not in (1, 2) or run.flag("fact:overlap_comm") is not True:
        return
    if plain(run.ask("fact:dp")) == 1:
        return
    version = run.run.settings["deepspeed"].version.text
    yield run.finding(
        f"overlap_comm of DeepSpeed {version} can use buffers at ZeRO stage 1 and 2 that are already given back",
        ("fact:overlap_comm", "reduced on a stream of its own"),
        ("fact:zero_stage", ""),
        notes=("fixed in deepspeed 0.19.0",),
        changes=without_overlap(run),
    )
