"""Nodes that do not divide the ranks of an SGLang server.

## What it checks
`--tp-size` times `--pp-size` must be a multiple of `--nnodes`.

## Why it matters
SGLang stops with an assertion on every node.

## Example
    python -m sglang.launch_server --model-path Qwen/Qwen3-32B --tp-size 8 --nnodes 3

## Instead
    python -m sglang.launch_server --model-path Qwen/Qwen3-32B --tp-size 8 --nnodes 2

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="SG001",
    name="nodes-not-dividing-ranks",
    summary="nnodes does not divide tp-size * pp-size",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.4.6"},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "check_server_args asserts that nothing is left.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    nodes = Size.of(run, Term("sglang:nnodes", "nnodes"))
    ranks = Size.of(run, Term("sglang:tp_size", "tp-size"), Term("sglang:pp_size", "pp-size", assume=1))
    yield from multiple(run, ranks, nodes, "every node takes the same number of ranks")
