"""Chunks of a prompt that are no whole pages.

## What it checks
`--chunked-prefill-size` against `--page-size`, of an SGLang server or of the engine below slime or verl. With attention that is data
parallel SGLang divides the chunk by the data parallel size first.

## Why it matters
SGLang stops with an assertion.

## Example
    python -m sglang.launch_server --model-path m --page-size 64 --chunked-prefill-size 4000

## Instead
    python -m sglang.launch_server --model-path m --page-size 64 --chunked-prefill-size 4096

## Fix safety
None is offered: which of the two to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.engines import anywhere, option


@rule(
    id="SG020",
    name="chunk-not-whole-pages",
    summary="chunked-prefill-size is no multiple of page-size",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.4.6", "slime": "", "verl": ""},
    when={anywhere("sglang", "page_size"): above(1), anywhere("sglang", "chunked_prefill_size"): above(0)},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "check_server_args asserts that a chunk is whole pages.",
        ),
        Evidence(
            "sglang 0.5.23: python/sglang/srt/arg_groups/validation_hook.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.23/python/sglang/srt/arg_groups/validation_hook.py",
            "The same assertion in its later place.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if tokens would be left over."""
    page = run.integer(option(run, "sglang", "page_size"))
    ref = option(run, "sglang", "chunked_prefill_size")
    chunk = run.integer(ref) if run.is_set(ref) else None
    if (
        page is None
        or page < 2
        or chunk is None
        or chunk <= 0
        or run.text(option(run, "sglang", "disaggregation_mode")) == "decode"
    ):
        return
    says = f"chunked-prefill-size {chunk}"
    if run.flag(option(run, "sglang", "enable_dp_attention")) is True:
        ranks = run.integer(option(run, "sglang", "dp_size")) or 1
        says, chunk = (f"{says} // dp-size {ranks} = {chunk // ranks}", chunk // ranks) if ranks > 1 else (says, chunk)
    if chunk % page:
        yield run.finding(
            f"{says} is not a multiple of page-size {page}: SGLang wants whole pages",
            (ref, "tokens of a chunk"),
            (option(run, "sglang", "page_size"), "tokens of a page"),
            help=f"use a multiple of {page}",
        )
