"""Overlapped tensor parallel communication without sequence parallelism.

## What it checks
`--tp-comm-overlap` without `--sequence-parallel`, or with a tensor parallel size of 1, where Megatron switches
sequence parallelism off.

## Why it matters
Megatron stops with an assertion on every rank.

## Example
    --tensor-model-parallel-size 4 --tp-comm-overlap

## Instead
    --tensor-model-parallel-size 4 --tp-comm-overlap --sequence-parallel

## Fix safety
None is offered: sequence parallelism changes memory and speed.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="MG038",
    name="tp-overlap-without-sequence-parallel",
    summary="tp-comm-overlap needs sequence-parallel and tensor parallelism",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.7"},
    when={"megatron:tp_comm_overlap": True},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args switches sequence_parallel off for tensor parallel size 1, and then asserts it for tp_comm_overlap.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    overlap, switch = "megatron:tp_comm_overlap", "megatron:sequence_parallel"
    if run.flag(overlap) is not True:
        return
    if run.integer("fact:tp") == 1:
        yield run.finding(
            "tp-comm-overlap with tensor parallel size 1 has nothing to overlap: Megatron refuses it",
            (overlap, "overlaps"),
            ("fact:tp", "one rank"),
            help="take --tp-comm-overlap out",
        )
    elif run.flag(switch) is False:
        yield run.finding(
            "tp-comm-overlap without sequence-parallel: Megatron refuses it",
            (overlap, "overlaps"),
            (switch, "off"),
            help="add --sequence-parallel",
        )
