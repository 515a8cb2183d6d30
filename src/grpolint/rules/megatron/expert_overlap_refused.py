"""Overlapped expert communication with what it excludes.

## What it checks
`--overlap-moe-expert-parallel-comm` with an expert parallel size of 1, with the allgather dispatcher, with full
recomputation, with fp32, with overlapped shared experts, or with pipeline stages that are not interleaved.

## Why it matters
Megatron stops with an assertion on every rank.

## Example
    --overlap-moe-expert-parallel-comm --recompute-granularity full --recompute-method uniform --recompute-num-layers 1

## Instead
    --overlap-moe-expert-parallel-comm --recompute-granularity selective --recompute-modules moe_act

## Fix safety
None is offered: which of the two to change is a choice of speed and memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_OVERLAP = "megatron:overlap_moe_expert_parallel_comm"
_INTERLEAVED = (
    "megatron:num_layers_per_virtual_pipeline_stage",
    "megatron:num_virtual_stages_per_pipeline_rank",
    "megatron:pipeline_model_parallel_layout",
    "megatron:hybrid_layer_pattern",
)


@rule(
    id="MG036",
    name="expert-overlap-refused",
    summary="overlap-moe-expert-parallel-comm with settings that it cannot work with",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.14"},
    when={_OVERLAP: True},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ asserts each of these where overlap_moe_expert_parallel_comm is on.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag(_OVERLAP) is not True:
        return
    wrong: list[tuple[str, str]] = []
    if run.integer("fact:ep") == 1:
        wrong.append(("fact:ep", "an expert parallel size of 1"))
    if run.text("megatron:moe_token_dispatcher_type") == "allgather":
        wrong.append(("megatron:moe_token_dispatcher_type", "the allgather dispatcher"))
    if run.text("megatron:recompute_granularity") == "full":
        wrong.append(("megatron:recompute_granularity", "full recomputation"))
    if run.text("fact:precision") == "fp32":
        wrong.append(("fact:precision", "fp32"))
    if run.flag("megatron:moe_shared_expert_overlap") is True:
        wrong.append(("megatron:moe_shared_expert_overlap", "overlapped shared experts"))
    stages = run.integer("fact:pp")
    if stages is not None and stages > 1 and all(run.known(ref) is None for ref in _INTERLEAVED):
        wrong.append(("fact:pp", f"{stages} pipeline stages that are not interleaved"))
    for ref, what in wrong:
        yield run.finding(
            f"overlap-moe-expert-parallel-comm does not work with {what}: Megatron refuses it",
            (_OVERLAP, "overlaps the exchange of tokens"),
            (ref, ""),
            help="take the overlap out, or change the other option",
        )
