"""Prompt and response together exceed the context that the rollout engine accepts.

## What it checks
The longest prompt plus the longest response against the engine's `max_model_len`.

## Why it matters
After a long prompt the response is cut before its limit, so the reward sees truncated answers. Where the longest prompt
alone fills the context, there is no room for an answer at all and the request is refused.

## Example
    data.max_prompt_length=1024 data.max_response_length=8192 actor_rollout_ref.rollout.max_model_len=8192

## Instead
    data.max_prompt_length=1024 data.max_response_length=8192 actor_rollout_ref.rollout.max_model_len=9216

## Fix safety
Unsafe: a longer context takes more memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_FILTERED = ("areal",)
"""Trainers whose longest prompt is what a filter of the data lets through, whether or not there is such a prompt."""

_OPTION = {
    "verl": "actor_rollout_ref.rollout.max_model_len",
    "trl": "vllm_max_model_length",
    "ms-swift": "vllm_max_model_len",
}


@rule(
    id="VL001",
    name="context-below-lengths",
    summary="prompt plus response length exceeds the rollout engine's context",
    severity=Severity.ERROR,
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "A request may generate max_model_len minus the prompt's tokens; none left raises ValueError.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the sum if it does not fit."""
    context = run.integer("fact:context_length")
    prompt, response = run.integer("fact:prompt_length"), run.integer("fact:response_length")
    if context is None or prompt is None or response is None or prompt + response <= context:
        return
    severity = Severity.WARNING if prompt < context or run.run.trainer in _FILTERED else None
    if run.run.trainer == "ms-swift":  # it shortens the response to what is left
        severity = Severity.INFO
    owner, key = run.run.trainer, _OPTION.get(run.run.trainer)
    if "unsloth" in run.run.settings:
        owner, key = "unsloth", "max_seq_length"
    yield run.finding(
        f"prompt {prompt} + response {response} = {prompt + response} tokens, but the rollout engine accepts {context}",
        ("fact:context_length", "longest sequence"),
        ("fact:prompt_length", "longest prompt"),
        ("fact:response_length", "longest response"),
        help="" if key else "raise the engine's context or shorten the sequences",
        changes=(SetOption(owner, key, prompt + response),) if key else (),
        severity=severity,
    )
