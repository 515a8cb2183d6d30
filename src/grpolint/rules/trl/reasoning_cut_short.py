"""A reasoning model that may not finish a thought.

## What it checks
`max_completion_length` below 1024 (256 by default, 512 in later releases) for a model that writes long chains of
thought: the distilled R1 models, QwQ, the thinking variants of Qwen3.

## Why it matters
Almost every response is cut before its answer, so that all rewards of a group are the same and nothing is learned.

## Example
    GRPOConfig() with deepseek-ai/DeepSeek-R1-Distill-Qwen-7B

## Instead
    GRPOConfig(max_completion_length=4096) with deepseek-ai/DeepSeek-R1-Distill-Qwen-7B

## Fix safety
Unsafe: longer responses need more memory and time.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, below, rule
from grpolint.rules.group_relative._reasoning import LEAST, writes_long


@rule(
    id="TR046",
    name="reasoning-cut-short",
    summary="max_completion_length far below what a reasoning model writes",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"trl": ">=0.14"},
    when={"trl:max_completion_length": below(LEAST)},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "The default of max_completion_length is 512; it was 256 before 1.10.",
        ),
        Evidence(
            "DeepSeek-R1: Incentivizing Reasoning Capability in LLMs",
            "https://arxiv.org/abs/2501.12948",
            "Responses of the trained models are thousands of tokens long.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the length."""
    if run.known("fact:group_relative") is not True:
        raise NotApplicable
    length = run.integer("trl:max_completion_length")
    if length is None or length >= LEAST:
        return
    if writes_long(run.text("fact:model")):
        yield run.finding(
            f"max_completion_length {length} cuts the chains of thought of {run.text('fact:model')} before their answers",
            ("trl:max_completion_length", f"{length} tokens"),
            ("fact:model", "writes thousands of tokens"),
            help="give it 4096 or more",
            changes=(SetOption("trl", "max_completion_length", 4096),),
        )
