"""ZeRO-3 that reduces gradients before they are written, with PyTorch 2.10 or later.

## What it checks
ZeRO stage 3 in bf16 with DeepSpeed before 0.18.8 and PyTorch from 2.10 on. Which PyTorch it is only `--with torch==...`
tells.

## Why it matters
DeepSpeed waited for the default stream, and newer PyTorch computes gradients on the stream of their forward operation. The
reduction can read memory that is not written yet: weights become NaN at random, on another layer each run.

## Example
    {"bf16": {"enabled": true}, "zero_optimization": {"stage": 3}}      with deepspeed 0.18.5 and torch 2.10.0

## Instead
    pip install 'deepspeed>=0.18.8'

## Fix safety
None is offered: the remedy is another release.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Undecided, rule
from grpolint.versions import satisfies


@rule(
    id="DS012",
    name="zero3-wrong-stream",
    summary="ZeRO-3 before DeepSpeed 0.18.8 with PyTorch 2.10 or later",
    severity=Severity.ERROR,
    frameworks={"deepspeed": "<0.18.8"},
    when={"fact:zero_stage": 3},
    evidence=(
        Evidence(
            "deepspeedai/DeepSpeed#7898",
            "https://github.com/deepspeedai/DeepSpeed/pull/7898",
            "NaN in weight partitions at random with PyTorch 2.10 and bf16; waits for the current stream since 0.18.8.",
        ),
        Evidence(
            "deepspeed 0.18.7: deepspeed/runtime/zero/stage3.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.18.7/deepspeed/runtime/zero/stage3.py",
            "The stream that reduces waits for default_stream(); 0.18.8 waits for current_stream().",
        ),
    ),
    aliases=("N01",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for such a pair of releases."""
    if run.integer("fact:zero_stage") != 3 or run.flag("fact:bf16") is not True:
        return
    torch = run.release("torch")
    if torch is None:
        raise Undecided("version:torch")
    if satisfies(torch, ">=2.10"):
        version = run.run.settings["deepspeed"].version.text
        yield run.finding(
            f"ZeRO-3 of DeepSpeed {version} can reduce gradients before PyTorch {torch} has written them: weights become NaN",
            ("fact:zero_stage", "stage 3"),
            ("fact:bf16", "bf16"),
            help="use deepspeed 0.18.8 or later",
        )
