"""Several nodes by flag and by Ray at once.

## What it checks
`--nnodes` above 1 together with `--distributed-executor-backend ray` (or `--data-parallel-backend ray`).

## Why it matters
vLLM refuses to start: `--nnodes` is for processes that each node starts itself, Ray finds its nodes alone.

## Example
    vllm serve Qwen/Qwen3-32B --tensor-parallel-size 16 --nnodes 2 --distributed-executor-backend ray

## Instead
    vllm serve Qwen/Qwen3-32B --tensor-parallel-size 16 --distributed-executor-backend ray

## Fix safety
None is offered: which of the two starts the nodes is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.relations import equals, minimum, together


@rule(
    id="VL031",
    name="nodes-with-executor",
    summary="--nnodes above 1 with the Ray executor",
    severity=Severity.ERROR,
    frameworks={"vllm": ">=0.11.1"},
    when={"vllm:nnodes": above(1)},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/parallel.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/parallel.py",
            "Raises ValueError for nnodes above 1 with an executor other than mp, uni or external_launcher.",
        ),
        Evidence(
            "vllm 0.11.2: vllm/config/parallel.py",
            "https://github.com/vllm-project/vllm/blob/v0.11.2/vllm/config/parallel.py",
            "The same check.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    for name in ("distributed_executor_backend", "data_parallel_backend"):
        yield from together(
            run,
            f"{name} ray with nnodes above 1: vLLM takes nodes from Ray or from the flag, not from both",
            minimum("vllm:nnodes", 2, "nodes by flag"),
            equals(f"vllm:{name}", "ray", label="nodes by Ray"),
            help="leave out one of the two",
        )
