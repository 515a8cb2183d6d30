"""A Ulysses size that does not fit the attention heads.

## What it checks
The sequence parallel (Ulysses) size of verl's FSDP workers against the query heads of the model, and against its key and value
heads, of which the size must be a multiple or a divisor.

## Why it matters
Each rank takes a share of the heads. verl asserts it when the model is patched, after the workers are placed.

## Example
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct actor_rollout_ref.actor.ulysses_sequence_parallel_size=8

## Instead
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct actor_rollout_ref.actor.ulysses_sequence_parallel_size=4

## Fix safety
None is offered: a smaller size holds longer sequences on each device.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.relations import divisors


@rule(
    id="VE120",
    name="ulysses-heads-not-divisible",
    summary="the Ulysses size does not fit the attention heads",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3"},
    when={"fact:engine": ("fsdp", "fsdp2"), "fact:sp": above(1)},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/models/transformers/monkey_patch.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/models/transformers/monkey_patch.py",
            "apply_monkey_patch asserts that the heads are a multiple of the size, and that of key and value heads and the "
            "size one is a multiple of the other.",
        ),
        Evidence(
            "verl 0.4.1: verl/models/transformers/monkey_patch.py",
            "https://github.com/verl-project/verl/blob/v0.4.1/verl/models/transformers/monkey_patch.py",
            "The same assertions.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if heads would be left over."""
    size = run.integer("fact:sp")
    if size is None or size < 2 or run.text("fact:engine") not in ("fsdp", "fsdp2"):
        return
    heads = run.integer("fact:attention_heads")
    if heads is None:
        return
    groups = run.integer("fact:kv_heads")
    if heads % size:
        what, place = f"{heads} attention heads are not a multiple of Ulysses size {size}", "fact:attention_heads"
    elif groups is not None and groups % size and size % groups:
        what = f"{groups} key and value heads are neither a multiple nor a divisor of Ulysses size {size}"
        place = "fact:kv_heads"
    else:
        return
    fits = [each for each in divisors(heads, size - 1) if (not groups or not groups % each or not each % groups)]
    yield run.finding(
        f"{what}: verl refuses the model",
        ("fact:sp", f"{size} ranks share a sequence"),
        (place, "heads"),
        help=f"sizes that fit: {', '.join(map(str, fits))}",
    )
