"""Micro batches that an interleaved pipeline cannot take.

## What it checks
Where stages are interleaved on Megatron's command line: the micro batches of a step, `--global-batch-size` divided
by micro batch and data parallel ranks, must be a multiple of the pipeline parallel size.

## Why it matters
The schedule raises an error at the first step, when the model stands in memory already.

## Example
    --pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 3 --micro-batch-size 4 --global-batch-size 24

## Instead
    --pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 3 --micro-batch-size 4 --global-batch-size 32

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, above, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="MG025",
    name="micro-batches-not-interleaving",
    summary="interleaved stages want a multiple of the pipeline size in micro batches",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.7"},
    when={
        "megatron:num_layers_per_virtual_pipeline_stage|megatron:num_virtual_stages_per_pipeline_rank": SET,
        "fact:pp": above(1),
    },
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/pipeline_parallel/schedules.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/pipeline_parallel/schedules.py",
            "The interleaved schedule raises ValueError for fewer micro batches than stages, and RuntimeError for a remainder below that number.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.run.trainer != "megatron" or run.known("megatron:rampup_batch_size") is not None:
        return
    if run.known("megatron:microbatch_group_size_per_vp_stage") is not None:
        return
    stages, layers = run.integer("fact:pp"), run.integer("fact:layers")
    per_stage = run.integer("megatron:num_layers_per_virtual_pipeline_stage")
    virtual = run.integer("megatron:num_virtual_stages_per_pipeline_rank")
    if virtual is None and per_stage and layers and stages:
        virtual = layers // stages // per_stage
    if stages is None or stages < 2 or virtual is None or virtual < 2:
        return
    whole = Size.of(run, Term("fact:gradient_accumulation", "micro batches of a step"))
    part = Size.of(run, Term("fact:pp", "pipeline parallel size"))
    yield from multiple(
        run,
        whole,
        part,
        f"the schedule of {virtual} interleaved stages refuses it",
        help="change the global batch or the micro batch so that it becomes a multiple",
    )
