"""torch.compile with overlapped gradient reduction on old DeepSpeed.

## What it checks
ZeRO stage 1 or 2 with `overlap_comm` and contiguous gradients while the model is compiled, before DeepSpeed 0.19.3.

## Why it matters
Compiled code fills the bucket from several streams, and the reduction waits for one of them only: it can send gradients
that are not there yet. Reported as a NaN loss from the first step.

## Example
    {"zero_optimization": {"stage": 2, "overlap_comm": true}}      with --torch_compile true

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

_OVERLAP = "fact:overlap_comm"
_COMPILED = "fact:torch_compile"


@rule(
    id="DS002",
    name="overlap-comm-with-compile",
    summary="overlap_comm with torch.compile at ZeRO stage 1 or 2",
    severity=Severity.ERROR,
    confidence=Confidence.MEDIUM,
    frameworks={"deepspeed": "<0.19.3"},
    when={"fact:zero_stage": (1, 2), "fact:overlap_comm": True, _COMPILED: True},
    evidence=(
        Evidence(
            "deepspeedai/DeepSpeed#8061",
            "https://github.com/deepspeedai/DeepSpeed/issues/8061",
            "NaN loss from step 1 with bf16, overlap_comm and torch.compile; turning off either one removes it.",
        ),
        Evidence(
            "deepspeedai/DeepSpeed#8080",
            "https://github.com/deepspeedai/DeepSpeed/pull/8080",
            "The reduction waits for every stream that wrote into the bucket; released in 0.19.3.",
        ),
    ),
    aliases=("N15", "D10"),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the combination."""
    if run.integer("fact:zero_stage") not in (1, 2) or run.flag(_OVERLAP) is not True:
        return
    if run.flag("deepspeed:zero_optimization.contiguous_gradients") is False:
        return
    if run.flag(_COMPILED) is True:
        version = run.run.settings["deepspeed"].version.text
        yield run.finding(
            f"overlap_comm and torch.compile together can give NaN losses with DeepSpeed {version} at ZeRO stage 1 and 2",
            (_OVERLAP, "gradients are reduced while others are written"),
            (_COMPILED, "compiled"),
            ("fact:zero_stage", ""),
            notes=("fixed in deepspeed 0.19.3",),
            changes=without_overlap(run),
        )
