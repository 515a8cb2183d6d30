"""Experts that do not divide over the expert parallel ranks.

## What it checks
`--num-experts` must be a multiple of `--expert-model-parallel-size`, and must be given where that is above 1.

## Why it matters
Megatron stops with an assertion on every rank.

## Example
    --num-experts 60 --expert-model-parallel-size 8

## Instead
    --num-experts 64 --expert-model-parallel-size 8

## Fix safety
None is offered: the number of experts belongs to the model.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="MG005",
    name="experts-not-divisible",
    summary="num-experts is not a multiple of the expert parallel size",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.7"},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/training/arguments.py",
            "validate_args asserts both.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    size = run.integer("megatron:expert_model_parallel_size")
    if size is None or size < 2:
        return
    experts = Size.of(run, Term("megatron:num_experts", "num-experts"))
    if experts is None:
        yield run.finding(
            f"expert-model-parallel-size {size} without num-experts: Megatron refuses it for a dense model",
            ("megatron:expert_model_parallel_size", "no experts"),
            help="give --num-experts or leave expert parallelism off",
        )
    part = Size.of(run, Term("megatron:expert_model_parallel_size", "expert-model-parallel-size"))
    yield from multiple(run, experts, part, "every rank holds the same number of experts")
