"""Data parallel sizes of a vLLM server that do not fit together.

## What it checks
`--data-parallel-size-local` above `--data-parallel-size`; a `--data-parallel-rank` that is not below it; a `--node-rank` that is not below
`--nnodes`; `--nnodes` that do not divide all ranks.

## Why it matters
vLLM refuses to start, on one node or on all.

## Example
    vllm serve Qwen/Qwen3-30B-A3B --data-parallel-size 2 --data-parallel-size-local 4

## Instead
    vllm serve Qwen/Qwen3-30B-A3B --data-parallel-size 4 --data-parallel-size-local 4

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least, multiple

_RANK, _NODE = "vllm:data_parallel_rank", "vllm:node_rank"


@rule(
    id="VL032",
    name="data-parallel-refused",
    summary="sizes of data parallelism that vLLM refuses",
    severity=Severity.ERROR,
    frameworks={"vllm": ">=0.9"},
    when={"vllm:data_parallel_size_local|vllm:data_parallel_rank|vllm:node_rank|vllm:nnodes": SET},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/parallel.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/parallel.py",
            "data_parallel_size_local above data_parallel_size raises ValueError, as does a rank outside of it.",
        ),
        Evidence(
            "vllm 0.33.0: vllm/engine/arg_utils.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/engine/arg_utils.py",
            "nnodes must divide the ranks, and node_rank must be below nnodes.",
        ),
        Evidence(
            "vllm 0.9.2: vllm/config.py",
            "https://github.com/vllm-project/vllm/blob/v0.9.2/vllm/config.py",
            "The checks of the local size and of the rank in an older release.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each relation that does not hold."""
    whole = Term("vllm:data_parallel_size", "data-parallel-size", assume=1)
    if run.is_set("vllm:data_parallel_size_local"):
        local = Size.of(run, Term("vllm:data_parallel_size_local", "data-parallel-size-local"))
        yield from at_least(run, Size.of(run, whole), local, "no node has more ranks than there are")
    for rank, sizes in ((_RANK, whole), (_NODE, Term("vllm:nnodes", "nnodes", assume=1))):
        number, most = run.integer(rank) if run.is_set(rank) else None, sizes.value(run)
        if number is not None and most is not None and number >= most:
            yield run.finding(
                f"{rank[5:].replace('_', '-')} {number} is not below {sizes.name} {most}: ranks count from 0",
                (rank, "too high"),
                sizes.place,
                help=f"use 0 to {most - 1}",
            )
    if run.is_set("vllm:nnodes"):
        parts = (
            "data_parallel_size",
            "pipeline_parallel_size",
            "tensor_parallel_size",
            "prefill_context_parallel_size",
        )
        ranks = Size.of(run, *(Term(f"vllm:{each}", each.replace("_", "-"), assume=1) for each in parts))
        nodes = Size.of(run, Term("vllm:nnodes", "nnodes"))
        yield from multiple(run, ranks, nodes, "every node takes the same number of ranks")
