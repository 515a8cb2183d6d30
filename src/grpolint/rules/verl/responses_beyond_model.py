"""Prompt and response together exceed what the model was made for, and nothing else limits them.

## What it checks
From verl 0.7 on, without `max_model_len`: the longest prompt plus the longest response against the positions of the model.

## Why it matters
verl then gives the engine the positions of the model as its limit. Responses end there, long before the length that was asked
for, and the reward sees truncated answers. Qwen2.5-Math with its 4096 positions is the usual case.

## Example
    actor_rollout_ref.model.path=Qwen/Qwen2.5-Math-7B data.max_prompt_length=1024 data.max_response_length=8192

## Instead
    actor_rollout_ref.model.path=Qwen/Qwen2.5-Math-7B data.max_prompt_length=1024 data.max_response_length=3072

## Fix safety
None is offered: shorter responses, or positions that the model was not made for, are a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer

_LIMIT = "actor_rollout_ref.rollout.max_model_len"


@rule(
    id="VE121",
    name="responses-beyond-model",
    summary="prompt and response exceed the positions of the model, which cut the response",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.7"},
    when={"fact:model_context": above(0), f"verl:{_LIMIT}": None},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "max_model_len becomes max_position_embeddings where it is null, and a request generates at most the rest.",
        ),
        Evidence(
            "verl 0.7.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "https://github.com/verl-project/verl/blob/v0.7.1/verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "The same in the first releases that do so.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the sum if it exceeds the model."""
    if run.integer(f"verl:{_LIMIT}") is not None or run.text("fact:rollout_engine") not in ("vllm", "sglang"):
        return
    most = run.integer("fact:model_context")
    prompt, response = run.integer("fact:prompt_length"), run.integer("fact:response_length")
    if most is None or prompt is None or response is None or prompt + response <= most:
        return
    settings = run.run.settings["verl"]
    if any("rope" in each.key or "max_position" in each.key for each in settings.under("actor_rollout_ref")):
        return
    yield run.finding(
        f"prompt {prompt} + response {response} = {prompt + response} tokens > {most}, the longest sequence that "
        f"{run.text('fact:model')} was made for: responses are cut there",
        ("fact:response_length", "longest response"),
        ("fact:prompt_length", "longest prompt"),
        ("fact:model", f"{most} positions"),
        help=f"shorten the response to {most - prompt} tokens" if most > prompt else "shorten the prompt",
    )
