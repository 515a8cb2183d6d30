"""A reasoning model that may not finish a thought.

## What it checks
Responses of less than 1024 tokens in GRPO and its kin for a model that writes long chains of thought: the distilled R1 models,
QwQ, the thinking variants of Qwen3. TR046 says the same of TRL.

## Why it matters
Almost every response is cut before its answer, so that all rewards of a group are the same and nothing is learned.

## Example
    actor_rollout_ref.model.path=deepseek-ai/DeepSeek-R1-Distill-Qwen-7B data.max_response_length=512

## Instead
    actor_rollout_ref.model.path=deepseek-ai/DeepSeek-R1-Distill-Qwen-7B data.max_response_length=4096

## Fix safety
Unsafe: longer responses need more memory and time.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, below, rule
from grpolint.rules.group_relative._reasoning import LEAST, writes_long
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="GR021",
    name="thought-cut-short",
    summary="responses far shorter than what a reasoning model writes",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"fact:response_length": below(LEAST)},
    evidence=(
        Evidence(
            "DeepSeek-R1: Incentivizing Reasoning Capability in LLMs",
            "https://arxiv.org/abs/2501.12948",
            "Responses of the trained models are thousands of tokens long.",
        ),
        Evidence(
            "DeepScaleR: Surpassing O1-Preview with a 1.5B Model by Scaling RL",
            "https://github.com/rllm-org/rllm/blob/v0.1/README.md",
            "Trains the distilled model of 1.5 billion parameters with responses of 8192 tokens first, then of 16384 and 24576.",
            "partly",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the length."""
    if run.run.trainer == "trl" or run.known("fact:group_relative") is not True:
        raise NotApplicable
    length = run.integer("fact:response_length")
    if length is None or length >= LEAST:
        return
    model = run.text("fact:model")
    if writes_long(model):
        yield run.finding(
            f"{length} tokens cut the chains of thought of {model} before their answers",
            ("fact:response_length", f"{length} tokens"),
            ("fact:model", "writes thousands of tokens"),
            help="give it 4096 or more",
        )
