"""Shared experts that run beside nothing.

## What it checks
`moe_shared_expert_overlap` with the allgather dispatcher, the default on Megatron's command line, or with
shared_experts among `recompute_modules`, where the model has shared experts.

## Why it matters
Megatron refuses the configuration of the model on every rank.

## Example
    --moe-shared-expert-intermediate-size 1408 --moe-shared-expert-overlap

## Instead
    --moe-shared-expert-intermediate-size 1408 --moe-shared-expert-overlap --moe-token-dispatcher-type alltoall

## Fix safety
None is offered: which of the two to change is a choice of speed and memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="MG035",
    name="shared-expert-overlap-refused",
    summary="moe-shared-expert-overlap needs the alltoall or flex dispatcher and no recomputation of shared experts",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.14"},
    when={"megatron:moe_shared_expert_overlap": True},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ raises ValueError for both.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    overlap, kind = "megatron:moe_shared_expert_overlap", "megatron:moe_token_dispatcher_type"
    if run.flag(overlap) is not True or run.integer("megatron:moe_shared_expert_intermediate_size") is None:
        return
    if run.text(kind) == "allgather":
        yield run.finding(
            "moe_shared_expert_overlap needs the alltoall or flex dispatcher, and it is allgather: Megatron refuses it",
            (overlap, "runs beside the dispatch"),
            (kind, "allgather"),
            help="give --moe-token-dispatcher-type alltoall, or take the overlap out",
        )
    modules = run.known("megatron:recompute_modules")
    if run.text("megatron:recompute_granularity") == "selective" and "shared_experts" in str(modules):
        yield run.finding(
            "shared experts cannot be recomputed and overlapped at once: Megatron refuses it",
            (overlap, "overlapped"),
            ("megatron:recompute_modules", "recomputed"),
            help="take shared_experts out of --recompute-modules, or the overlap out",
        )
