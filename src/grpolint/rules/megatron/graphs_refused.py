"""CUDA graphs with what cannot be captured.

## What it checks
`--cuda-graph-impl local` or transformer_engine with full recomputation, and full_iteration without `--no-check-for-
nan-in-loss-and-grad`.

## Why it matters
Megatron stops with an assertion on every rank.

## Example
    --cuda-graph-impl full_iteration

## Instead
    --cuda-graph-impl full_iteration --no-check-for-nan-in-loss-and-grad

## Fix safety
None is offered: losing the check for NaN is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_IMPL = "megatron:cuda_graph_impl"


@rule(
    id="MG067",
    name="cuda-graphs-refused",
    summary="CUDA graphs with full recomputation, or of whole iterations with the check for NaN",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.16"},
    when={_IMPL: ("local", "transformer_engine", "full_iteration")},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ asserts full_iteration for full recomputation with CUDA graphs.",
        ),
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts that check_for_nan_in_loss_and_grad is off with full_iteration.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    kind = run.text(_IMPL)
    if kind in ("local", "transformer_engine") and run.text("megatron:recompute_granularity") == "full":
        yield run.finding(
            f"CUDA graphs of the kind {kind} do not work with full recomputation: Megatron refuses it",
            (_IMPL, kind),
            ("megatron:recompute_granularity", "recomputes whole layers"),
            help="use selective recomputation, or no graphs",
        )
    if kind == "full_iteration" and run.flag("megatron:check_for_nan_in_loss_and_grad") is True:
        yield run.finding(
            "a graph of the whole iteration cannot check for NaN: Megatron refuses it",
            (_IMPL, "whole iterations"),
            ("megatron:check_for_nan_in_loss_and_grad", "checked"),
            help="add --no-check-for-nan-in-loss-and-grad",
        )
