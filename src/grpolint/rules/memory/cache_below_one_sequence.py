"""A cache that cannot hold one sequence of the rollout engine.

## What it checks
Where the accelerator is known: what vLLM's share leaves beside the weights, against the keys and values of one sequence of
the longest length. Attention over the whole sequence in 16 bits only.

## Why it matters
vLLM refuses to start where a single request of `max_model_len` tokens would not fit.

## Example
    vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 131072 --gpu-memory-utilization 0.9    # on 24 GiB

## Instead
    vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 16384 --gpu-memory-utilization 0.9

## Fix safety
None is offered: shorter sequences and a larger share are choices.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.memory._amounts import GIB, engine_ranks, gib, sixteen_bits

_KINDS = ("verl:actor_rollout_ref.rollout.engine_kwargs.vllm.kv_cache_dtype", "vllm:kv_cache_dtype")


@rule(
    id="MM002",
    name="cache-below-one-sequence",
    summary="the KV cache of vLLM cannot hold one sequence of the longest length",
    severity=Severity.ERROR,
    when={"fact:gpu_memory": above(0), "fact:rollout_engine": "vllm", "fact:rollout_memory": above(0)},
    evidence=(
        Evidence(
            "vllm 0.11.0: vllm/v1/core/kv_cache_utils.py",
            "https://github.com/vllm-project/vllm/blob/v0.11.0/vllm/v1/core/kv_cache_utils.py",
            "check_enough_kv_cache_memory raises ValueError where one request of max_model_len needs more.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if one sequence needs more than is left."""
    memory, share = run.number("fact:gpu_memory"), run.number("fact:rollout_memory")
    if not memory or not share or not 0 < share <= 1 or run.text("fact:rollout_engine") != "vllm":
        return
    lengths = [each for each in (run.integer("fact:context_length"), run.integer("fact:model_context")) if each]
    if not lengths or min(lengths) < 1 or run.text("fact:attention_kind") != "full":
        return
    parameters, layers = run.integer("fact:parameters"), run.integer("fact:layers")
    groups, width = run.integer("fact:kv_heads"), run.integer("fact:head_dim")
    if parameters is None or layers is None or groups is None or width is None or not sixteen_bits(run):
        return
    if any(run.known(ref) not in (None, "auto", "bfloat16", "float16") for ref in _KINDS):
        return
    ranks, _ = engine_ranks(run)
    left = share * memory * GIB - 2 * parameters / ranks
    held = max(1, groups // ranks)
    token = 2 * layers * held * width * 2
    if ranks > (run.integer("fact:rollout_tp") or 1) or left <= 0 or token * min(lengths) <= left:
        return
    yield run.finding(
        f"one sequence takes 2 * {layers} layers * {held} heads * {width} * 2 bytes * {min(lengths)} tokens = "
        f"{gib(token * min(lengths))} > {gib(left)}, what {share:g} * {memory:g} GiB leaves beside "
        f"{gib(2 * parameters / ranks)} of weights: vLLM refuses to start",
        ("fact:context_length", "longest sequence"),
        ("fact:rollout_memory", "share of vLLM"),
        ("fact:model", "model"),
        ("fact:gpu", f"{memory:g} GiB"),
        help=f"at most {int(left // token)} tokens fit: shorten max_model_len, or raise the share or the tensor parallel size",
    )
