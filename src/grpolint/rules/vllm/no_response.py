"""Responses of no token.

## What it checks
The longest response that is sampled in training is below 1 token.

## Why it matters
The engine refuses each request: there must be at least one token to generate.

## Example
    data.max_response_length=0

## Instead
    data.max_response_length=1024

## Fix safety
None is offered: the length is for the author to choose.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, below, rule


@rule(
    id="VL038",
    name="no-room-for-a-response",
    summary="a longest response of no token",
    severity=Severity.ERROR,
    when={"fact:response_length": below(1)},
    evidence=(
        Evidence(
            "TIGER-AI-Lab/verl-tool#88",
            "https://github.com/TIGER-AI-Lab/verl-tool/issues/88",
            "max_tokens must be at least 1, got 0.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "A request may generate response_length tokens at most.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if there is no room."""
    length = run.integer("fact:response_length")
    if length is not None and length < 1:
        yield run.finding(
            f"a longest response of {length} tokens: the engine wants at least one to generate",
            ("fact:response_length", "no token"),
            help="give responses room, for example 1024 tokens",
        )
