"""Tokens whose logits one device makes at once in the update of the policy."""

from __future__ import annotations

from grpolint.rules.api import Inquiry, Place

__all__ = ["of_trl", "of_verl"]

_ACTOR = "verl:actor_rollout_ref.actor"


def of_verl(run: Inquiry) -> tuple[int, str, tuple[Place, ...]]:
    """Tokens on one device in the update of the policy, how they come about, and their places."""
    if run.text("fact:engine") not in ("fsdp", "fsdp2"):
        return 0, "", ()
    prompt, response = run.integer("fact:prompt_length"), run.integer("fact:response_length")
    if prompt is None or response is None:
        return 0, "", ()
    sequence = f"(prompt {prompt} + response {response})"
    if run.flag("fact:dynamic_batch"):
        budget, key = run.integer(f"{_ACTOR}.ppo_max_token_len_per_gpu"), f"{_ACTOR}.ppo_max_token_len_per_gpu"
        mini, group, ranks = (run.integer(f"fact:{name}") for name in ("mini_batch_prompts", "group_size", "dp"))
        if not budget or not mini or not group or not ranks:
            return 0, "", ()
        sp = run.integer("fact:sp") or 1
        whole = -(-mini * group // ranks) * (prompt + response) // sp
        places: tuple[Place, ...] = ((key, "token budget"),)
        return min(budget, whole), f"{min(budget, whole)} tokens", places
    micro, sp = run.integer("fact:micro_batch_per_gpu"), run.integer("fact:sp") or 1
    if not micro:
        return 0, "", ()
    shown = f"micro batch {micro} * {sequence}{f' / Ulysses {sp}' if sp > 1 else ''}"
    places = (("fact:micro_batch_per_gpu", "sequences"), ("fact:prompt_length", ""), ("fact:response_length", ""))
    return micro * (prompt + response) // sp, shown, places


def of_trl(run: Inquiry) -> tuple[int, str, tuple[Place, ...]]:
    """Tokens of completions on one device: TRL makes logits of these only."""
    micro, response = run.integer("fact:micro_batch_per_gpu"), run.integer("fact:response_length")
    if not micro or not response:
        return 0, "", ()
    places: tuple[Place, ...] = (
        ("fact:micro_batch_per_gpu", "sequences"),
        ("fact:response_length", "longest completion"),
    )
    return micro * response, f"batch {micro} * completion {response}", places
