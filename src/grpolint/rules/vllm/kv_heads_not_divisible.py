"""A tensor parallel size that fits the query heads but not those of keys and values.

## What it checks
The tensor parallel size of the rollout engine against the key and value heads of the model: one must be a multiple of the other.
Query heads that do not divide are VL024.

## Why it matters
With fewer heads than ranks each head is copied, with more they are shared out; nothing else works, and the model's layers assert
it while they are built. Qwen2.5-7B has 28 query heads, but 4 of keys and values: 7 ranks are refused.

## Example
    vllm serve Qwen/Qwen2.5-7B-Instruct --tensor-parallel-size 7

## Instead
    vllm serve Qwen/Qwen2.5-7B-Instruct --tensor-parallel-size 4

## Fix safety
None is offered: another size needs other devices.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.relations import divisors


@rule(
    id="VL040",
    name="kv-heads-not-divisible",
    summary="the rollout's tensor parallel size fits the query heads but not the key and value heads",
    severity=Severity.ERROR,
    when={"fact:rollout_tp": above(2), "fact:rollout_engine": "vllm"},
    evidence=(
        Evidence(
            "vllm 0.8.5: vllm/model_executor/models/qwen2.py",
            "https://github.com/vllm-project/vllm/blob/v0.8.5/vllm/model_executor/models/qwen2.py",
            "Qwen2Attention asserts that of key and value heads and tensor parallel size one is a multiple of the other, as do "
            "the attention layers of Llama and Qwen3.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("fact:rollout_engine") != "vllm":
        return
    heads, groups = run.integer("fact:attention_heads"), run.integer("fact:kv_heads")
    if heads is None or not groups:
        return
    refused = [each for each in divisors(heads, heads) if each > 2 and groups % each and each % groups]
    size = run.integer("fact:rollout_tp") if refused else None
    if size not in refused:
        return
    fits = [each for each in divisors(heads, heads) if each not in refused]
    yield run.finding(
        f"{groups} key and value heads of {run.text('fact:model')} are neither a multiple nor a divisor of the rollout's "
        f"tensor parallel size {size}",
        ("fact:rollout_tp", f"{size} ranks"),
        ("fact:model", f"{groups} key and value heads"),
        help=f"sizes that fit: {', '.join(map(str, fits))}",
    )
