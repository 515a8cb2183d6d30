"""Fewer adapters loaded than in a batch.

## What it checks
`--max-loaded-loras` below `--max-loras-per-batch`, 8 by default.

## Why it matters
SGLang stops with an assertion at the start.

## Example
    python -m sglang.launch_server --model-path Qwen/Qwen3-8B --enable-lora --max-loaded-loras 4

## Instead
    python -m sglang.launch_server --model-path Qwen/Qwen3-8B --enable-lora --max-loaded-loras 4 --max-loras-per-batch 4

## Fix safety
None is offered: which of the two to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least


@rule(
    id="SG003",
    name="fewer-adapters-loaded",
    summary="max-loaded-loras is smaller than max-loras-per-batch",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.5"},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "Asserts that max_loaded_loras is not below max_loras_per_batch.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    loaded = Size.of(run, Term("sglang:max_loaded_loras", "max-loaded-loras", "kept in memory"))
    if loaded is not None:
        batch = Size.of(run, Term("sglang:max_loras_per_batch", "max-loras-per-batch", "in one batch"))
        yield from at_least(run, loaded, batch, "SGLang wants all adapters of a batch in memory")
