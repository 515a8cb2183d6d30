"""ZeRO-2 with CPU Adam.

## What it checks
DeepSpeed shards at stage 2 and an Adam whose states are held by the CPU. Anything else fails. N01 repeats the half
about stage 3.

## Why it matters
The handbook: with one data-parallel rank ZeRO-3 is pure overhead, and 24 GB do not hold the optimizer's states.

## Example
    {"zero_stage": 3, "optimizer": "adamw"}

## Instead
    {"zero_stage": 2, "optimizer": "cpu_adam"}

## Fix safety
Unsafe: another stage changes the format of checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import deepspeed
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("D01", "zero2-with-cpu-adam", "ZeRO stage 2 with the optimizer on the CPU")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for another stage or an optimizer that the CPU does not hold."""
    stage = deepspeed(run, "zero_stage")
    if stage != 2:
        yield run.finding(
            f"ZeRO stage {stage}; the handbook wants stage 2 with CPU Adam",
            ("fact:zero_stage", f"stage {stage}"),
            changes=remedy(run, "zero_stage", 2),
            help="shard at stage 2",
        )
        return
    name = run.text("fact:optimizer") or ""
    if name and "adam" not in name:
        yield run.finding(
            f"the optimizer is {name}; the handbook wants CPU Adam", "fact:optimizer", help="train with Adam on the CPU"
        )
        return
    device = run.require("fact:offload_optimizer")
    if device != "cpu":
        yield run.finding(
            "the optimizer's states stay on the accelerator; the handbook wants CPU Adam",
            ("fact:offload_optimizer", f"offload to {device}"),
            ("fact:optimizer", "the optimizer"),
            help="offload the optimizer to the CPU",
        )
