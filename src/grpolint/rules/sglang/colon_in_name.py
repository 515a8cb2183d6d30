"""A colon in the name of a served model.

## What it checks
`--served-model-name` of an SGLang server.

## Why it matters
SGLang stops with an assertion: `model:adapter` is how a request names an adapter.

## Example
    python -m sglang.launch_server --model-path m --served-model-name qwen3:8b

## Instead
    python -m sglang.launch_server --model-path m --served-model-name qwen3-8b

## Fix safety
Unsafe: clients ask for the name.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="SG031",
    name="colon-in-model-name",
    summary="a colon in served-model-name",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.5.8"},
    when={"sglang:served_model_name": SET},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "check_server_args asserts that there is none: it separates model and adapter.",
        ),
        Evidence(
            "sglang 0.5.23: python/sglang/srt/arg_groups/validation_hook.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.23/python/sglang/srt/arg_groups/validation_hook.py",
            "The same.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if there is one."""
    name = run.text("sglang:served_model_name") or ""
    if ":" in name and "://" not in name:
        yield run.finding(
            f"SGLang refuses the colon in the name {name}: it separates a model from an adapter",
            ("sglang:served_model_name", "a colon"),
            changes=(SetOption("sglang", "served_model_name", name.replace(":", "-")),),
        )
