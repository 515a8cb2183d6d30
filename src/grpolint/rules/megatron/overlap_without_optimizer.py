"""An overlapped gather that has nothing to gather.

## What it checks
`--overlap-param-gather` without `--use-distributed-optimizer` (or Megatron FSDP), or without `--overlap-grad-reduce`.

## Why it matters
Megatron stops with an assertion on every rank.

## Example
    --overlap-param-gather --overlap-grad-reduce

## Instead
    --overlap-param-gather --overlap-grad-reduce --use-distributed-optimizer

## Fix safety
None is offered: another optimizer changes checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Condition, off, on, together

_OVERLAP = "megatron:overlap_param_gather"


@rule(
    id="MG007",
    name="overlap-without-distributed-optimizer",
    summary="overlap-param-gather needs the distributed optimizer and overlap-grad-reduce",
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
    if run.flag(_OVERLAP) is not True or str(run.known("megatron:optimizer")).startswith("dist_"):
        return
    yield from together(
        run,
        "overlap-param-gather needs the distributed optimizer: otherwise no rank has to gather parameters",
        on(_OVERLAP, "gathers parameters"),
        off("megatron:use_distributed_optimizer"),
        Condition("megatron:use_megatron_fsdp", lambda run, ref: run.flag(ref) is not True),
        help="add --use-distributed-optimizer",
    )
    yield from together(
        run,
        "overlap-param-gather needs overlap-grad-reduce",
        on(_OVERLAP, "gathers parameters"),
        off("megatron:overlap_grad_reduce"),
        help="add --overlap-grad-reduce",
    )
