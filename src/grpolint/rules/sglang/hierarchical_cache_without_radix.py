"""A hierarchical cache without the cache it extends.

## What it checks
`--enable-hierarchical-cache` together with `--disable-radix-cache`.

## Why it matters
SGLang refuses the pair at the start.

## Example
    python -m sglang.launch_server --model-path Qwen/Qwen3-8B --enable-hierarchical-cache --disable-radix-cache

## Instead
    python -m sglang.launch_server --model-path Qwen/Qwen3-8B --enable-hierarchical-cache

## Fix safety
None is offered: which of the two is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import on, together


@rule(
    id="SG002",
    name="hierarchical-cache-without-radix",
    summary="enable-hierarchical-cache with disable-radix-cache",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.5"},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "Raises ValueError for both.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "the hierarchical cache extends the radix cache, which is disabled: SGLang refuses the pair",
        on("sglang:enable_hierarchical_cache", "extends the radix cache"),
        on("sglang:disable_radix_cache", "disabled"),
        help="leave out one of the two",
    )
