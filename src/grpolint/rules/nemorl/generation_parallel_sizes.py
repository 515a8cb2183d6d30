"""Parallel sizes of the vLLM engine that NeMo-RL refuses.

## What it checks
`vllm_cfg.expert_parallel_size` above 1 must be a multiple of `tensor_parallel_size`, and with another size than that
`async_engine` must be off; `pipeline_parallel_size` above 1 needs `async_engine`.

## Why it matters
In vLLM experts are spread over data and tensor parallel ranks; NeMo-RL asserts the sizes when it makes the engine.

## Example
    uv run examples/run_grpo.py policy.generation.vllm_cfg.pipeline_parallel_size=2

## Instead
    uv run examples/run_grpo.py policy.generation.vllm_cfg.pipeline_parallel_size=2 policy.generation.vllm_cfg.async_engine=true

## Fix safety
Unsafe: another layout may not fit.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_VLLM = "nemo-rl:policy.generation.vllm_cfg"
_TP, _PP, _EP = (f"{_VLLM}.{name}_parallel_size" for name in ("tensor", "pipeline", "expert"))
_ASYNC = f"{_VLLM}.async_engine"


@rule(
    id="NR015",
    name="generation-parallel-sizes",
    summary="parallel sizes of the vLLM engine that NeMo-RL refuses",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.4"},
    when={"fact:rollout_engine": "vllm"},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/models/generation/vllm/vllm_generation.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/models/generation/vllm/vllm_generation.py",
            "VllmGeneration asserts an asynchronous engine for pipelines, and expert parallel sizes that are multiples of the tensor parallel one.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each size that is refused."""
    pp, ep = run.integer(_PP), run.integer(_EP)
    if (pp or 1) > 1 and run.flag(_ASYNC) is False:
        yield run.finding(
            f"pipeline_parallel_size {pp} of the engine needs async_engine, which is off",
            (_PP, "stages"),
            (_ASYNC, "not asynchronous"),
            help="set policy.generation.vllm_cfg.async_engine to true",
        )
    tp = run.integer(_TP) if (ep or 1) > 1 else None
    if ep is None or tp is None or tp < 1:
        return
    if ep % tp:
        yield run.finding(
            f"expert_parallel_size {ep} is not a multiple of tensor_parallel_size {tp}: vLLM spreads experts over whole tensor groups",
            (_EP, "experts"),
            (_TP, "tensor parallel"),
        )
    elif ep != tp and run.flag(_ASYNC):
        yield run.finding(
            f"expert_parallel_size {ep} over tensor_parallel_size {tp} is data parallelism inside vLLM, refused with async_engine",
            (_EP, "experts"),
            (_ASYNC, "asynchronous"),
        )
