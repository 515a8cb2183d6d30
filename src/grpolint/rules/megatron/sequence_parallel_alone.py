"""Sequence parallelism without tensor parallelism.

## What it checks
`--sequence-parallel` with a tensor parallel size of 1.

## Why it matters
Megatron switches it off with a warning: the memory it was meant to save is not saved.

## Example
    --sequence-parallel --tensor-model-parallel-size 1

## Instead
    --sequence-parallel --tensor-model-parallel-size 2

## Fix safety
Safe: the option does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import equals, on, together


@rule(
    id="MG008",
    name="sequence-parallel-alone",
    summary="sequence-parallel has no effect without tensor parallelism",
    severity=Severity.INFO,
    default=False,
    frameworks={"megatron": ">=0.7"},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/training/arguments.py",
            "validate_args switches it off where the tensor parallel size is 1.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "sequence-parallel has no effect: it shares the work of the tensor parallel ranks, and there is one",
        on("megatron:sequence_parallel", "switched off by Megatron"),
        equals("fact:tp", 1, label="one rank"),
        changes=(RemoveOption("megatron", "sequence_parallel", safe=True),),
    )
