r"""Adapters on the embedding or the head of a model that ties them.

## What it checks
`lm_head` or `embed_tokens` among the target modules of LoRA, or among the modules that are trained whole, for a model whose head is
its embedding.

## Why it matters
Training changes one of the two and not the other. PEFT warns and goes on; what is merged or loaded by an inference engine, where
both are still one, is another model than the one that was trained.

## Example
    actor_rollout_ref.model.path=Qwen/Qwen2.5-3B-Instruct actor_rollout_ref.model.lora_rank=32 \
        'actor_rollout_ref.model.target_modules=[q_proj,v_proj,lm_head]'

## Instead
    'actor_rollout_ref.model.target_modules=[q_proj,v_proj]'

## Fix safety
None is offered: what is trained changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_REFS = (
    "verl:actor_rollout_ref.model.target_modules",
    "trl:lora_target_modules",
    "trl:lora_modules_to_save",
    "peft:target_modules",
    "peft:modules_to_save",
)
_ENDS = ("lm_head", "embed_tokens")


@rule(
    id="LO040",
    name="adapters-on-tied-head",
    summary="LoRA on the embedding or the head of a model that ties them",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.3", "trl": ""},
    when={"fact:tied_embeddings": True},
    evidence=(
        Evidence(
            "peft 0.21.2: src/peft/tuners/tuners_utils.py",
            "https://github.com/huggingface/peft/blob/v0.21.2/src/peft/tuners/tuners_utils.py",
            "Warns that adapters on tied layers lead to complications, and that a merge unties input and output.",
        ),
        Evidence(
            "huggingface/peft#2777",
            "https://github.com/huggingface/peft/issues/2777",
            "The discussion of what tied embeddings and adapters do to each other.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each option that names a tied layer."""
    rank = run.integer("fact:lora_rank")
    if not rank or run.known("fact:tied_embeddings") is not True:
        return
    if run.known("peft:ensure_weight_tying") is True:
        return
    for ref in _REFS:
        named = [name for name in _names(run.known(ref)) if name.rpartition(".")[2] in _ENDS]
        if named:
            yield run.finding(
                f"{run.text('fact:model')} ties its head to its embedding, and {', '.join(named)} is trained alone",
                (ref, "one of two tied layers"),
                ("fact:model", "tied embeddings"),
                help="leave embedding and head to the base model, or untie them first",
            )


def _names(value: Any) -> list[str]:
    """Names in a list, or in text that holds one: `[q_proj,lm_head]`, `q_proj,lm_head`."""
    if isinstance(value, str) and value.startswith('["'):
        try:
            value = json.loads(value)
        except ValueError:
            return []
    if isinstance(value, str):
        value = value.strip("[]").split(",")
    return [str(each).strip(" '\"") for each in value] if isinstance(value, (list, tuple)) else []
