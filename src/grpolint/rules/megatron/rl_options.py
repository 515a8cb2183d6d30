"""Options of Megatron-RL that need others.

## What it checks
With `--perform-rl-step`: sequence packing with a micro batch other than 1, CUDA graphs that persist or train while
none are built, an offloaded key-value cache without persisting graphs, and a generation lag without partial
rollouts.

## Why it matters
Megatron stops with an assertion on every rank.

## Example
    --perform-rl-step --rl-use-sequence-packing --micro-batch-size 4

## Instead
    --perform-rl-step --rl-use-sequence-packing --micro-batch-size 1

## Fix safety
None is offered: which of the two to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="MG070",
    name="rl-options-contradict",
    summary="options of Megatron-RL that need others",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.16"},
    when={"megatron:perform_rl_step": True},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts each of these where perform_rl_step is on; the lag from 0.19, the graphs from 0.17 on.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("megatron:perform_rl_step") is not True:
        return
    micro = run.integer("megatron:micro_batch_size")
    if run.flag("megatron:rl_use_sequence_packing") is True and micro is not None and micro != 1:
        yield run.finding(
            f"packed sequences are one micro batch, and micro-batch-size is {micro}: Megatron refuses it",
            ("megatron:rl_use_sequence_packing", "packed"),
            ("megatron:micro_batch_size", f"{micro} sequences"),
            help="give --micro-batch-size 1 and a longer sequence",
        )
    for key in ("rl_persist_cuda_graphs", "rl_training_cuda_graphs"):
        if run.flag(f"megatron:{key}") is True and run.text("megatron:cuda_graph_impl") == "none":
            yield run.finding(
                f"{key.replace('_', '-')} while no CUDA graphs are built: Megatron refuses it",
                (f"megatron:{key}", "graphs"),
                ("megatron:cuda_graph_impl", "none"),
                help="give --cuda-graph-impl local",
            )
    mode = "megatron:rl_kv_cache_management_mode"
    if run.text(mode) == "offload" and run.flag("megatron:rl_persist_cuda_graphs") is False:
        yield run.finding(
            "an offloaded key-value cache needs rl-persist-cuda-graphs: Megatron refuses it",
            (mode, "offloaded"),
            ("megatron:rl_persist_cuda_graphs", "off"),
            help="add --rl-persist-cuda-graphs, or recompute the cache",
        )
    lag = run.integer("megatron:rl_generation_lag")
    if lag and run.flag("megatron:rl_partial_rollouts") is False:
        yield run.finding(
            f"rl-generation-lag {lag} needs rl-partial-rollouts: Megatron refuses it",
            ("megatron:rl_generation_lag", "samples may be late"),
            ("megatron:rl_partial_rollouts", "off"),
            help="add --rl-partial-rollouts",
        )
