"""Train_global_batch_size does not split over data parallel ranks and micro batches.

## What it checks
`policy.train_global_batch_size` must be a multiple of the data parallel size and, without sequence packing and
dynamic batching, of that times `policy.train_micro_batch_size`.

## Why it matters
NeMo-RL asserts it when the first batch is trained on.

## Example
    uv run examples/run_sft.py policy.train_global_batch_size=100 cluster.gpus_per_node=8

## Instead
    uv run examples/run_sft.py policy.train_global_batch_size=128 cluster.gpus_per_node=8

## Fix safety
Unsafe: another batch size changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="NR004",
    name="update-not-divisible-over-ranks",
    summary="train_global_batch_size does not split over data parallel ranks and micro batches",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.3"},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/distributed/batched_data_dict.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/distributed/batched_data_dict.py",
            "shard_by_batch_size asserts that the batch is a multiple of the shards, make_microbatch_iterator that a shard is one of the micro batch.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if it leaves a remainder."""
    if run.text("fact:trainer_kind") not in ("grpo", "ppo", "sft", "distillation"):
        return  # preference pairs are two samples
    whole = Size.of(
        run, Term("nemo-rl:policy.train_global_batch_size", "train_global_batch_size", "samples of an update")
    )
    ranks = Term("fact:dp", "data parallel size", "data parallel")
    parts = Size.of(run, ranks)
    if whole is not None and parts is not None and parts.value > 0 and whole.value % parts.value == 0:
        if run.flag("fact:dynamic_batch") is not False:
            return
        micro = Term("nemo-rl:policy.train_micro_batch_size", "train_micro_batch_size", "samples of a forward pass")
        parts = Size.of(run, ranks, micro)
    yield from multiple(run, whole, parts, "NeMo-RL stops at the first update")
