"""Biases in experts that are split over tensor parallel ranks.

## What it checks
A model with experts on Megatron's command line whose linear layers have biases (the default, without `--disable-
bias-linear`) and whose expert tensor parallel size is above 1. Where nobody sets that size it is the tensor
parallel size.

## Why it matters
The configuration of the model is refused with an assertion on every rank. Models of today have no such biases, so
that the option is what was forgotten.

## Example
    --num-experts 64 --tensor-model-parallel-size 4 --sequence-parallel

## Instead
    --num-experts 64 --tensor-model-parallel-size 4 --sequence-parallel --disable-bias-linear

## Fix safety
None is offered: biases belong to the model, and expert tensor parallelism to its layout.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="MG023",
    name="bias-in-sharded-experts",
    summary="experts with biases cannot be split over tensor parallel ranks",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.15"},
    when={"megatron:num_experts": above(0)},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ asserts an expert tensor parallel size of 1 where experts have biases.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.integer("megatron:num_experts") is None or run.flag("megatron:add_bias_linear") is not True:
        return
    own = run.integer("megatron:expert_tensor_parallel_size")
    ref = "megatron:tensor_model_parallel_size" if own is None else "megatron:expert_tensor_parallel_size"
    shards = run.integer(ref)
    if shards is not None and shards > 1:
        word = (
            "tensor parallel size, which is that of the experts too," if own is None else "expert tensor parallel size"
        )
        yield run.finding(
            f"experts have biases, and the {word} is {shards}: Megatron supports biases in experts with size 1 only",
            ("megatron:num_experts", "experts"),
            (ref, f"{shards} shards"),
            ("megatron:add_bias_linear", "with biases"),
            help="add --disable-bias-linear if the model has no biases, or set --expert-tensor-parallel-size 1",
        )
