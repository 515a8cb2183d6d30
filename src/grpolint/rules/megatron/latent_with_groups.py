"""Latent attention with query groups.

## What it checks
`--multi-latent-attention` together with `--group-query-attention`.

## Why it matters
Megatron stops with an assertion on every rank: latent attention has no groups of heads.

## Example
    --multi-latent-attention --group-query-attention --num-query-groups 8

## Instead
    --multi-latent-attention

## Fix safety
Safe: without it the run stops.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import on, together


@rule(
    id="MG065",
    name="latent-attention-with-groups",
    summary="multi-latent-attention with group-query-attention",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.16"},
    when={"megatron:multi_latent_attention": True, "megatron:group_query_attention": True},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts that group_query_attention is off with multi_latent_attention.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "multi-latent-attention has no query groups: Megatron refuses group-query-attention with it",
        on("megatron:multi_latent_attention", "latent attention"),
        on("megatron:group_query_attention", "query groups"),
        changes=(RemoveOption("megatron", "group_query_attention", safe=True),),
    )
