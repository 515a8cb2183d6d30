"""Offloaded activations with what excludes them.

## What it checks
`--cpu-offloading-num-layers` above 0 with a pipeline parallel size above 1, with recomputation, or of all layers of
the model.

## Why it matters
Megatron refuses the configuration of the model on every rank.

## Example
    --num-layers 24 --cpu-offloading-num-layers 24

## Instead
    --num-layers 24 --cpu-offloading-num-layers 20

## Fix safety
None is offered: which of the two to change is a choice of memory and speed.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_LAYERS = "megatron:cpu_offloading_num_layers"


@rule(
    id="MG068",
    name="activation-offload-refused",
    summary="cpu-offloading-num-layers with pipeline stages or recomputation",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.10"},
    when={_LAYERS: above(0)},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ raises ValueError for each of the three.",
        ),
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "Offloading is on where the number of layers is above 0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    offloaded = run.integer(_LAYERS)
    if not offloaded or offloaded < 1:
        return
    layers, stages = run.integer("fact:layers"), run.integer("fact:pp")
    if layers is not None and offloaded >= layers:
        yield run.finding(
            f"{offloaded} of {layers} layers offload their activations: Megatron wants fewer than all",
            (_LAYERS, f"{offloaded} layers"),
            ("fact:layers", f"of {layers}"),
            help="leave one layer out at least",
        )
    if stages is not None and stages > 1:
        yield run.finding(
            f"offloaded activations do not work with {stages} pipeline stages: Megatron refuses it",
            (_LAYERS, "offloads"),
            ("fact:pp", f"{stages} stages"),
            help="take the offloading out, or the pipeline",
        )
    if run.known("megatron:recompute_granularity") is not None or run.flag("megatron:recompute_activations") is True:
        yield run.finding(
            "activations are offloaded and recomputed at once: Megatron refuses it",
            (_LAYERS, "offloads"),
            ("megatron:recompute_granularity", "recomputes"),
            ("megatron:recompute_activations", "recomputes"),
            help="keep one of the two",
        )
