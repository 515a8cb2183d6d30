"""A tensor parallel size that does not divide the attention heads.

## What it checks
The tensor parallel size of a trainer on Megatron against the query heads of the model, and against its key and value heads, of
which the size must be a multiple or a divisor.

## Why it matters
Megatron Core refuses the configuration of the model on every rank. Qwen2.5-7B has 28 heads: 1, 2, 4, but not 8 ranks.

## Example
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct actor_rollout_ref.actor.megatron.tensor_model_parallel_size=8

## Instead
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4

## Fix safety
None is offered: another size needs other devices.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.relations import divisors


@rule(
    id="MG040",
    name="heads-not-divisible-by-tensor-parallel",
    summary="the trainer's tensor parallel size does not fit the attention heads",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3", "slime": "", "megatron": ">=0.7"},
    when={"fact:engine": "megatron", "fact:tp": above(1)},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/core/transformer/transformer_config.py",
            "TransformerConfig raises ValueError for heads that are no multiple of the size, and for query groups that are "
            "neither a multiple nor a divisor of it.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if heads would be left over."""
    size = run.integer("fact:tp")
    if size is None or size < 2 or run.text("fact:engine") != "megatron":
        return
    heads = run.integer("fact:attention_heads")
    if heads is None:
        return
    groups = run.integer("fact:kv_heads")
    if heads % size:
        what = f"{heads} attention heads are not a multiple of tensor parallel size {size}"
        place = "fact:attention_heads"
    elif groups is not None and groups % size and size % groups:
        what = f"{groups} key and value heads are neither a multiple nor a divisor of tensor parallel size {size}"
        place = "fact:kv_heads"
    else:
        return
    fits = [each for each in divisors(heads, size - 1) if (not groups or not groups % each or not each % groups)]
    yield run.finding(
        f"{what}: Megatron refuses the model",
        ("fact:tp", f"{size} ranks"),
        (place, "heads"),
        help=f"sizes that fit: {', '.join(map(str, fits))}",
    )
