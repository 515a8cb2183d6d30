r"""Weights that do not fit into the rollout engine's share of the memory.

## What it checks
Where the accelerator is known (`--gpu`, or the batch system's line): the weights of the model in 16 bits, over the ranks that share
them, against the share of the device that the engine may take.

## Why it matters
The engine stops while it starts: vLLM finds no memory for its cache, SGLang asks for a larger share.

## Example
    #SBATCH --gres=gpu:rtx4090:1
    python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct \
        actor_rollout_ref.rollout.tensor_model_parallel_size=1 actor_rollout_ref.rollout.gpu_memory_utilization=0.5

## Instead
    actor_rollout_ref.rollout.gpu_memory_utilization=0.8

## Fix safety
None is offered: a larger share leaves less for the trainer.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.memory._amounts import GIB, engine_ranks, gib, sixteen_bits


@rule(
    id="MM001",
    name="weights-above-rollout-share",
    summary="the weights do not fit into the rollout engine's share of the memory",
    severity=Severity.ERROR,
    when={"fact:gpu_memory": above(0), "fact:rollout_engine": ("vllm", "sglang"), "fact:rollout_memory": above(0)},
    evidence=(
        Evidence(
            "vllm 0.11.0: vllm/v1/core/kv_cache_utils.py",
            "https://github.com/vllm-project/vllm/blob/v0.11.0/vllm/v1/core/kv_cache_utils.py",
            "Raises ValueError where the share less weights and activations leaves nothing for the cache.",
        ),
        Evidence(
            "sglang 0.4.6: python/sglang/srt/model_executor/model_runner.py",
            "https://github.com/sgl-project/sglang/blob/v0.4.6/python/sglang/srt/model_executor/model_runner.py",
            "Raises RuntimeError where the static share holds no token beside the weights.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if weights alone exceed the share."""
    memory, share = run.number("fact:gpu_memory"), run.number("fact:rollout_memory")
    if not memory or not share or not 0 < share <= 1 or run.text("fact:rollout_engine") not in ("vllm", "sglang"):
        return
    parameters = run.integer("fact:parameters")
    if parameters is None or not sixteen_bits(run):
        return
    ranks, shown = engine_ranks(run)
    weights = 2 * parameters / ranks
    if weights <= share * memory * GIB:
        return
    yield run.finding(
        f"weights {parameters / 1e9:.1f}e9 * 2 bytes{f' / {shown}' if shown else ''} = {gib(weights)} per GPU > "
        f"share {share:g} * {memory:g} GiB = {gib(share * memory * GIB)}: the rollout engine cannot start",
        ("fact:rollout_memory", "share of the rollout engine"),
        ("fact:rollout_tp", ""),
        ("fact:model", "model"),
        ("fact:gpu", f"{memory:g} GiB"),
        help="raise the share or the tensor parallel size, or take a smaller model",
    )
