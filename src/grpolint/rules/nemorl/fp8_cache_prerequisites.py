"""An FP8 KV cache without what NeMo-RL demands for it.

## What it checks
`policy.generation.vllm_cfg.kv_cache_dtype: fp8*` needs `precision: fp8`, the Megatron backend without pipeline
parallelism, and rollouts that are not asynchronous.

## Why it matters
NeMo-RL asserts each of these before training.

## Example
    uv run examples/run_grpo.py policy.generation.vllm_cfg.kv_cache_dtype=fp8

## Instead
    uv run examples/run_grpo.py policy.generation.vllm_cfg.kv_cache_dtype=auto

## Fix safety
Unsafe: which side is meant is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_CACHE = "nemo-rl:policy.generation.vllm_cfg.kv_cache_dtype"
_PRECISION = "nemo-rl:policy.generation.vllm_cfg.precision"
_DTENSOR = "nemo-rl:policy.dtensor_cfg.enabled"
_ASYNC = "nemo-rl:policy.generation.vllm_cfg.async_engine"
_PIPELINE = "nemo-rl:policy.megatron_cfg.pipeline_model_parallel_size"


@rule(
    id="NR008",
    name="fp8-cache-prerequisites",
    summary="an FP8 KV cache without what NeMo-RL demands for it",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.5"},
    when={"nemo-rl:policy.generation.vllm_cfg.kv_cache_dtype": ("fp8", "fp8_e4m3", "fp8_e5m2")},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/algorithms/grpo.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/algorithms/grpo.py",
            "setup() asserts precision fp8, no DTensor, no asynchronous rollouts and no pipeline for an FP8 cache.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding that names all that is missing."""
    cache = run.text(_CACHE) or ""
    if not cache.startswith("fp8") or run.text("fact:rollout_engine") != "vllm":
        return
    wrong = []
    if run.text(_PRECISION) != "fp8":
        wrong.append((_PRECISION, f"the engine's precision is {run.text(_PRECISION)}, not fp8"))
    if run.flag(_DTENSOR):
        wrong.append((_DTENSOR, "DTensor trains, not Megatron"))
    if run.flag(_ASYNC):
        wrong.append((_ASYNC, "rollouts are asynchronous"))
    if (run.integer(_PIPELINE) or 1) > 1 and not run.flag(_DTENSOR):
        wrong.append((_PIPELINE, "the pipeline has several stages"))
    if wrong:
        reasons = " and ".join(text for _, text in wrong)
        yield run.finding(f"NeMo-RL refuses a KV cache in {cache}: {reasons}", (_CACHE, "FP8 cache"), *wrong)
