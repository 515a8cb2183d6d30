"""Cascade attention that computes wrongly.

## What it checks
vLLM 0.8.2 to 0.10 with its second engine on a GPU that is no Hopper, where `disable_cascade_attn` is not set. The GPU is known from
`--gpu` or the batch system, the release from `--with`, from the trainer or from the server.

## Why it matters
Requests with a long common prefix, as the responses of one group are, take another path through attention, which gave wrong
results with FlashAttention 2. Log-probabilities of trainer and engine drift apart. vLLM 0.18 switched it off by default.

## Example
    actor_rollout_ref.rollout.name=vllm      on A100 with vllm 0.10.1

## Instead
    +actor_rollout_ref.rollout.engine_kwargs.vllm.disable_cascade_attn=True

## Fix safety
Unsafe: samples change, to what the model says.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import change, generates, option, within


@rule(
    id="VL035",
    name="cascade-attention-wrong",
    summary="cascade attention of vLLM before 0.11 on a GPU that is no Hopper",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"fact:rollout_engine": "vllm"},
    evidence=(
        Evidence(
            "vllm-project/vllm#22103",
            "https://github.com/vllm-project/vllm/issues/22103",
            "10 of 18 answers right on A100, 18 of 18 with --disable-cascade-attn and on H100.",
        ),
        Evidence(
            "allenai/open-instruct#1006",
            "https://github.com/allenai/open-instruct/pull/1006",
            "A trainer that switches it off because of wrong results with Qwen.",
        ),
        Evidence(
            "sail-sg/Precision-RL#1",
            "https://github.com/sail-sg/Precision-RL/issues/1",
            "Others saw no difference with 0.8.4 and 0.11.0.",
            "contradicted",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the path may be taken."""
    capability = run.known("fact:gpu_capability")
    if capability is None or capability[0] == 9 or not generates(run, "vllm"):
        return
    ref = option(run, "vllm", "disable_cascade_attn")
    if run.flag(ref) is True or run.text("env:VLLM_USE_V1") == "0" or not within(run, "vllm", ">=0.8.2,<0.11"):
        return
    yield run.finding(
        f"cascade attention of vLLM before 0.11 gave wrong results where the GPU is no Hopper, as {run.text('fact:gpu')} is none",
        ("fact:gpu", "no Hopper"),
        ("fact:rollout_engine", "vLLM"),
        changes=(change(ref, value=True),),
    )
