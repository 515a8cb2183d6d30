r"""Layers that do not divide over the pipeline stages.

## What it checks
The number of layers of the model against the pipeline parallel size of a trainer on Megatron, where nothing asks for uneven
stages.

## Why it matters
Megatron Core asserts it while the model is built, after the ranks have started. Qwen3-235B-A22B has 94 layers, which no 4 or 8
stages share evenly.

## Example
    actor_rollout_ref.model.path=Qwen/Qwen3-235B-A22B actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=8

## Instead
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=8 \
        +actor_rollout_ref.actor.megatron.override_transformer_config.num_layers_in_first_pipeline_stage=11 \
        +actor_rollout_ref.actor.megatron.override_transformer_config.num_layers_in_last_pipeline_stage=11

## Fix safety
None is offered: how to cut the model is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.megatron._pipeline import PP, spread_by_hand


@rule(
    id="MG041",
    name="layers-not-divisible",
    summary="the layers do not divide over the pipeline stages",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3", "slime": "", "megatron": ">=0.7"},
    when={"fact:engine": "megatron", PP: above(1)},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/core/transformer/transformer_block.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/core/transformer/transformer_block.py",
            "get_num_layers_to_build asserts that the layers are a multiple of the stages, unless their split is given.",
        ),
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/training/arguments.py",
            "validate_args asserts the same.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if layers would be left over."""
    stages = run.integer(PP)
    if stages is None or stages < 2 or run.text("fact:engine") != "megatron":
        return
    layers = run.integer("fact:layers")
    if layers is None or layers % stages == 0 or spread_by_hand(run):
        return
    first, last = "num_layers_in_first_pipeline_stage", "num_layers_in_last_pipeline_stage"
    if "verl" not in run.run.settings:
        first, last = "--decoder-first-pipeline-num-layers", "--decoder-last-pipeline-num-layers"
    yield run.finding(
        f"{layers} layers are not a multiple of {stages} pipeline stages: Megatron refuses to build the model",
        (PP, f"{stages} stages"),
        ("fact:layers", f"{layers} layers"),
        help=f"give {first} or {last} so that the rest divides, or take another size",
    )
