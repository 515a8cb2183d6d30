"""A scheduler budget smaller than the longest sequence.

## What it checks
`rollout.max_num_batched_tokens` below the context of the vLLM rollout: with the synchronous rollout up to 0.6 where
chunked prefill is on, and from 0.7 to 0.9.0 where it is off. From 0.9.1 on verl raises the budget itself.

## Why it matters
verl (chunked prefill on) or vLLM (off) refuses to make the engine.

## Example
    data.max_prompt_length=2048 data.max_response_length=14336      with verl 0.5, whose budget is 8192 by default

## Instead
    data.max_prompt_length=2048 data.max_response_length=14336 actor_rollout_ref.rollout.max_num_batched_tokens=16384

## Fix safety
Unsafe: a larger budget takes more memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_ROLLOUT = "actor_rollout_ref.rollout"


@rule(
    id="VE024",
    name="batched-tokens-below-context",
    summary="max_num_batched_tokens is smaller than the context of the rollout",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.2,<0.9.1"},
    evidence=(
        Evidence(
            "verl 0.6.1: verl/workers/rollout/vllm_rollout/vllm_rollout_spmd.py",
            "https://github.com/verl-project/verl/blob/v0.6.1/verl/workers/rollout/vllm_rollout/vllm_rollout_spmd.py",
            "Raises ValueError if max_num_batched_tokens is below max_model_len with chunked prefill.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "Raises the budget to max_model_len where chunked prefill is off.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("fact:rollout_engine") != "vllm":
        return
    old = satisfies(run.run.settings["verl"].version.text, "<0.7")
    if old and run.text(f"verl:{_ROLLOUT}.mode") == "async":
        return
    if run.flag(f"verl:{_ROLLOUT}.enable_chunked_prefill") is not old:
        return
    tokens = Size.of(run, Term(f"verl:{_ROLLOUT}.max_num_batched_tokens", "max_num_batched_tokens", "of one step"))
    context = Size.of(run, Term("fact:context_length", "context length", "longest sequence"))
    if context is not None:
        yield from at_least(
            run,
            tokens,
            context,
            "verl refuses that with chunked prefill" if old else "vLLM refuses that without chunked prefill",
            changes=(SetOption("verl", f"{_ROLLOUT}.max_num_batched_tokens", context.value),),
            severity=None if old else Severity.WARNING,
        )
