"""A token budget for dynamic batches that one long sequence exceeds.

## What it checks
With dynamic batching a micro batch holds at most `*_max_token_len_per_gpu` times the Ulysses size (with Megatron the
context parallel size) tokens. The longest sequence is `data.max_prompt_length + data.max_response_length`.

## Why it matters
verl stops with an assertion: up to 0.7 at the first batch, because batches are padded to full length; later at the
first sequence that is longer, often hours into training when responses grow.

## Example
    data.max_prompt_length=1024 data.max_response_length=20480 actor_rollout_ref.actor.ppo_max_token_len_per_gpu=16384

## Instead
    data.max_prompt_length=1024 data.max_response_length=20480 actor_rollout_ref.actor.ppo_max_token_len_per_gpu=21504

## Fix safety
Unsafe: a larger budget takes more memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_ACTOR = "actor_rollout_ref.actor"
_BUDGETS = (
    (f"{_ACTOR}.ppo_max_token_len_per_gpu", f"{_ACTOR}.use_dynamic_bsz", ""),
    (
        "actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu",
        "actor_rollout_ref.rollout.log_prob_use_dynamic_bsz",
        "",
    ),
    (
        "actor_rollout_ref.ref.log_prob_max_token_len_per_gpu",
        "actor_rollout_ref.ref.log_prob_use_dynamic_bsz",
        "actor_rollout_ref.ref.ulysses_sequence_parallel_size",
    ),
)
"""Each budget, the switch that makes it count, and a sequence parallel size beside the actor's."""


@rule(
    id="VE007",
    name="token-budget-below-sequence",
    summary="the dynamic-batch token budget is smaller than the longest sequence",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.2"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/utils/seqlen_balancing.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/utils/seqlen_balancing.py",
            "rearrange_micro_batches asserts that max_token_len is at least the longest sequence of the batch.",
        ),
        Evidence(
            "Weiyun1025/verl-internvl#15",
            "https://github.com/Weiyun1025/verl-internvl/issues/15",
            "A run that stopped with that assertion.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each budget that is too small."""
    found = False
    for key, switch, own in _BUDGETS:
        if run.flag(f"verl:{switch}") is not True or (found and not run.is_set(f"verl:{key}")):
            continue  # the other budgets follow the actor's unless they are set
        budget, times, split = run.integer(f"verl:{key}"), *_parallel(run, own)
        prompt, response = run.integer("fact:prompt_length"), run.integer("fact:response_length")
        if budget is None or prompt is None or response is None or budget * times >= prompt + response:
            continue
        factor = f" * {split} {times} = {budget * times}" if times > 1 else ""
        found = True
        yield run.finding(
            f"{key.rsplit('.', 1)[-1]} {budget}{factor} < prompt {prompt} + response {response} = {prompt + response}: "
            "a sequence of full length does not fit a micro batch",
            (f"verl:{key}", "token budget"),
            ("fact:prompt_length", "longest prompt"),
            ("fact:response_length", "longest response"),
            changes=(SetOption("verl", key, -(-(prompt + response) // times)),),
        )


def _parallel(run: Inquiry, own: str) -> tuple[int, str]:
    """By how many devices a sequence is shared, and what does it."""
    if run.text("verl:actor_rollout_ref.actor.strategy") == "megatron":
        return run.integer("fact:cp") or 1, "context parallel"
    sizes = [run.integer("fact:sp") or 1, *(run.integer(f"verl:{key}") or 1 for key in (own, _inner(own)) if own)]
    return max(sizes), "ulysses"


def _inner(key: str) -> str:
    section, _, name = key.rpartition(".")
    return f"{section}.fsdp_config.{name}"
