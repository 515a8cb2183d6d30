"""Experts in block-wise FP8 that tensor parallelism cuts through a block.

## What it checks
For a checkpoint in block-wise FP8 (Qwen's own `-FP8`): the width of an expert over the tensor parallel ranks of the
rollout engine must be a multiple of the block of 128 channels, unless experts are spread whole.

## Why it matters
The engine stops while it makes the weights. Qwen3-30B-A3B-FP8 has experts of 768 channels: 2 ranks work, 4 get 192 channels.

## Example
    vllm serve Qwen/Qwen3-30B-A3B-FP8 --tensor-parallel-size 4

## Instead
    vllm serve Qwen/Qwen3-30B-A3B-FP8 --tensor-parallel-size 4 --enable-expert-parallel

## Fix safety
None is offered: expert parallelism moves memory between devices.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_BLOCK = 128
_SWITCHES = (
    "vllm:enable_expert_parallel",
    "verl:actor_rollout_ref.rollout.engine_kwargs.vllm.enable_expert_parallel",
    "sglang:enable_dp_attention",
)
_SIZES = (
    "verl:actor_rollout_ref.rollout.expert_parallel_size",
    "verl:actor_rollout_ref.rollout.engine_kwargs.sglang.ep_size",
    "sglang:ep_size",
    "sglang:moe_dp_size",
)
"""What spreads experts whole over ranks."""


@rule(
    id="MO041",
    name="experts-below-block",
    summary="tensor parallelism cuts experts in block-wise FP8 through a block",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"fact:rollout_tp": above(1), "fact:moe": True, "fact:quantized_weights": True},
    evidence=(
        Evidence(
            "vllm-project/vllm#25292",
            "https://github.com/vllm-project/vllm/issues/25292",
            "Qwen3-30B-A3B-FP8 stops with a tensor parallel size of 4.",
        ),
        Evidence(
            "vllm-project/vllm#17569",
            "https://github.com/vllm-project/vllm/issues/17569",
            "Qwen3-235B-A22B-FP8 leaves 192 channels to each of 8 ranks, which 128 does not divide.",
        ),
        Evidence(
            "QwenLM/Qwen3#1485",
            "https://github.com/QwenLM/Qwen3/issues/1485",
            "The same two models with SGLang on 4 and 8 ranks.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if a rank gets part of a block."""
    if run.text("fact:rollout_engine") not in ("vllm", "sglang") or not _blockwise(run.text("fact:model") or ""):
        return
    size = run.integer("fact:rollout_tp")
    if size is None or size < 2 or run.known("fact:quantized_weights") is not True:
        return
    width = run.integer("fact:expert_width")
    if width is None or width % size or (width // size) % _BLOCK == 0:
        return
    if any(run.flag(ref) for ref in _SWITCHES) or any((run.integer(ref) or 1) > 1 for ref in _SIZES):
        return
    yield run.finding(
        f"experts of {width} channels / tensor parallel {size} = {width // size} channels, not a multiple of the FP8 block of {_BLOCK}",
        ("fact:rollout_tp", f"{size} ranks"),
        ("fact:model", "experts in blocks of 128 channels"),
        help="spread experts whole (expert parallelism), or take a smaller tensor parallel size or the 16-bit checkpoint",
    )


def _blockwise(model: str) -> bool:
    """Whether a name is that of a checkpoint in blocks of 128, as Qwen publishes them. DeepSeek's are as well, but trainers
    use them converted to 16 bits under the same name.
    """
    name = model.rstrip("/").rpartition("/")[2].lower()
    return name.startswith("qwen3") and name.endswith("-fp8")
