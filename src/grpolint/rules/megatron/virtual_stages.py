r"""Virtual pipeline stages that do not divide the layers of a stage.

## What it checks
Where pipeline stages are interleaved: layers of each stage against the virtual stages on it, and that there is a pipeline at all.

## Why it matters
Megatron Core refuses to build the model, or to interleave a pipeline of one stage.

## Example
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct \
        actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=4 \
        actor_rollout_ref.actor.megatron.virtual_pipeline_model_parallel_size=2

## Instead
    actor_rollout_ref.actor.megatron.virtual_pipeline_model_parallel_size=7

## Fix safety
None is offered: how to cut the model is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.megatron._pipeline import PP, VERL, spread_by_hand, virtual_stages
from grpolint.rules.relations import divisors


@rule(
    id="MG042",
    name="virtual-stages-not-dividing",
    summary="virtual pipeline stages that do not divide the layers of a stage",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3", "slime": "", "megatron": ">=0.7"},
    when={
        f"verl:{VERL}.virtual_pipeline_model_parallel_size|megatron:num_virtual_stages_per_pipeline_rank"
        "|megatron:num_layers_per_virtual_pipeline_stage": SET
    },
    evidence=(
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/core/transformer/transformer_block.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/core/transformer/transformer_block.py",
            "get_num_layers_to_build asserts that the layers of a rank are a multiple of its virtual stages.",
        ),
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/training/arguments.py",
            "validate_args asserts that the layers of a stage are a multiple of those of a virtual stage.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("fact:engine") != "megatron":
        return
    stages, layers = run.integer(PP) or 1, run.integer("fact:layers")
    if layers is None or layers % stages or spread_by_hand(run):
        return
    virtual, ref = virtual_stages(run, layers, stages)
    if virtual is None or virtual == 1:
        return
    each = layers // stages
    if virtual and each % virtual == 0:
        return
    what = f"{virtual} virtual stages" if virtual else f"virtual stages of {run.integer(ref)} layers"
    yield run.finding(
        f"{layers} layers / {stages} pipeline stages = {each} layers, which do not divide into {what}",
        (ref, ""),
        (PP, f"{stages} stages"),
        ("fact:layers", f"{layers} layers"),
        help="virtual stages that fit: " + ", ".join(str(n) for n in divisors(each, each) if n > 1),
    )
