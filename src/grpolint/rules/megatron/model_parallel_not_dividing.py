"""Parallel sizes that do not divide the processes.

## What it checks
The number of processes must be a multiple of tensor * pipeline * context parallel size.

## Why it matters
Megatron stops with an assertion on every rank, after the job has started.

## Example
    torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 3

## Instead
    torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 4

## Fix safety
None is offered: which size to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple

_SIZES = (
    ("tensor_model_parallel_size", "tensor parallel"),
    ("pipeline_model_parallel_size", "pipeline parallel"),
    ("context_parallel_size", "context parallel"),
)


@rule(
    id="MG001",
    name="model-parallel-not-dividing",
    summary="tensor * pipeline * context parallel size does not divide the processes",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.7"},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/training/arguments.py",
            "validate_args asserts that the world size is a multiple of the model size.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    parts = Size.of(run, *(Term(f"megatron:{key}", word, assume=1) for key, word in _SIZES))
    processes = Size.of(run, Term("fact:world_size", "number of processes"))
    yield from multiple(run, processes, parts, "Megatron cannot build its groups")
