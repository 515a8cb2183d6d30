"""Adapters and the radix cache in releases that cannot have both.

## What it checks
`--lora-paths` without `--disable-radix-cache`, with SGLang before 0.5.1.

## Why it matters
SGLang stops with an assertion.

## Example
    python -m sglang.launch_server --model-path m --lora-paths a=/ckpt/a      with sglang 0.4.9

## Instead
    python -m sglang.launch_server --model-path m --lora-paths a=/ckpt/a --disable-radix-cache

## Fix safety
Safe: the server does not start without it.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="SG023",
    name="adapters-with-radix-cache",
    summary="LoRA adapters with the radix cache before SGLang 0.5.1",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.3.4,<0.5.1"},
    when={"sglang:lora_paths": SET},
    evidence=(
        Evidence(
            "sglang 0.4.9.post6: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.4.9.post6/python/sglang/srt/server_args.py",
            "check_lora_server_args asserts that the radix cache is off where lora_paths are given; gone in 0.5.1.",
        ),
        Evidence(
            "sgl-project/sglang#1921",
            "https://github.com/sgl-project/sglang/issues/1921",
            "The server with adapters stops with that assertion; 0.3.4 to 0.4.6 want CUDA graphs off as well.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("sglang:lora_paths") in (None, "", []) or run.flag("sglang:disable_radix_cache") is not False:
        return
    yield run.finding(
        "SGLang before 0.5.1 refuses lora-paths with the radix cache",
        ("sglang:lora_paths", "adapters"),
        ("sglang:disable_radix_cache", "the cache is on"),
        changes=(SetOption("sglang", "disable_radix_cache", value=True, safe=True),),
    )
