"""Fewer tokens in a step than sequences.

## What it checks
`max_num_batched_tokens` below `max_num_seqs`, of a vLLM server or of the rollout of verl.

## Why it matters
vLLM refuses it: every running sequence needs a token in each step.

## Example
    vllm serve Qwen/Qwen3-8B --max-num-seqs 1024 --max-num-batched-tokens 512

## Instead
    vllm serve Qwen/Qwen3-8B --max-num-seqs 256 --max-num-batched-tokens 512

## Fix safety
None is offered: which of the two to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least

_WHERE = {"verl": "verl:actor_rollout_ref.rollout.", "vllm": "vllm:"}
"""Where the engine's options are, by what leads the run."""


@rule(
    id="VL004",
    name="batched-tokens-below-sequences",
    summary="max_num_batched_tokens is smaller than max_num_seqs",
    severity=Severity.ERROR,
    frameworks={"vllm": ">=0.6", "verl": ">=0.3"},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/scheduler.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/scheduler.py",
            "verify_max_model_len raises ValueError.",
        ),
        Evidence(
            "vllm 0.6.6: vllm/config.py",
            "https://github.com/vllm-project/vllm/blob/v0.6.6/vllm/config.py",
            "The same check in an older release.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    prefix = _WHERE.get(run.run.trainer)
    if prefix is None or run.text("fact:rollout_engine") != "vllm":
        return
    tokens = Size.of(run, Term(f"{prefix}max_num_batched_tokens", "max_num_batched_tokens", "tokens of a step"))
    if tokens is not None:
        sequences = Size.of(run, Term(f"{prefix}max_num_seqs", "max_num_seqs", "sequences at once"))
        yield from at_least(run, tokens, sequences, "vLLM wants a token for every running sequence")
