"""A sequence that cannot be cut for context parallelism.

## What it checks
With a context parallel size above 1 `--seq-length` must be a multiple of twice that size.

## Why it matters
Megatron stops with an assertion on every rank: each rank takes two pieces so that the causal work is even.

## Example
    --seq-length 4100 --context-parallel-size 4

## Instead
    --seq-length 4096 --context-parallel-size 4

## Fix safety
None is offered: the length is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="MG006",
    name="sequence-not-divisible",
    summary="seq-length is not a multiple of twice the context parallel size",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.7"},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/training/arguments.py",
            "validate_args asserts it where context parallelism is on.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    parallel = run.integer("megatron:context_parallel_size")
    if parallel is None or parallel < 2:
        return
    length = Size.of(run, Term("megatron:seq_length", "seq-length"))
    pieces = Size(
        2 * parallel, f"2 * context-parallel-size {parallel} = {2 * parallel}", ("megatron:context_parallel_size",)
    )
    yield from multiple(run, length, pieces, "each rank takes two pieces of a sequence")
