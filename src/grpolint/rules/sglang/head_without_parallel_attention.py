"""A data parallel output head without data parallel attention.

## What it checks
`--enable-dp-lm-head` without `--enable-dp-attention`, where `--dp-size` is above 1.

## Why it matters
SGLang stops with an assertion.

## Example
    python -m sglang.launch_server --model-path m --tp-size 8 --dp-size 8 --enable-dp-lm-head

## Instead
    python -m sglang.launch_server --model-path m --tp-size 8 --dp-size 8 --enable-dp-attention --enable-dp-lm-head

## Fix safety
Unsafe: memory is used in another way.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import anywhere, change, option


@rule(
    id="SG025",
    name="head-without-parallel-attention",
    summary="enable-dp-lm-head without enable-dp-attention",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.4.6,<0.5.21", "slime": ""},
    when={anywhere("sglang", "enable_dp_lm_head"): True},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "_handle_data_parallelism asserts that attention is data parallel too.",
        ),
        Evidence(
            "sglang 0.4.6.post5: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.4.6.post5/python/sglang/srt/server_args.py",
            "The same assertion.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    head, attention = (option(run, "sglang", name) for name in ("enable_dp_lm_head", "enable_dp_attention"))
    if run.flag(head) is not True or run.flag(attention) is True:
        return
    if (run.integer(option(run, "sglang", "dp_size")) or 1) < 2 or (
        run.integer(option(run, "sglang", "attn_dp_size")) or 1
    ) > 1:
        return
    yield run.finding(
        "enable_dp_lm_head without enable_dp_attention: SGLang wants both or none",
        (head, "the head is data parallel"),
        (attention, "attention is not"),
        changes=(change(attention, value=True),),
    )
