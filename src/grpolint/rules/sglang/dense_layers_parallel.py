"""A tensor parallel size of dense layers that SGLang does not know.

## What it checks
`--moe-dense-tp-size` of a server or below slime: 1, or since 0.5.13 the tensor parallel size itself.

## Why it matters
SGLang stops with an assertion.

## Example
    --sglang-moe-dense-tp-size 4 --sglang-dp-size 8

## Instead
    --sglang-moe-dense-tp-size 1 --sglang-dp-size 8

## Fix safety
None is offered: leaving it out or 1 are both right.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="SG032",
    name="dense-layers-parallel",
    summary="a moe-dense-tp-size that SGLang does not know",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.4.6"},
    when={"sglang:moe_dense_tp_size": above(1)},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "check_server_args asserts 1 or nothing.",
        ),
        Evidence(
            "sglang 0.5.13: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.13/python/sglang/srt/server_args.py",
            "From here on the tensor parallel size itself is allowed too.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it is none of the two."""
    size = run.integer("sglang:moe_dense_tp_size")
    if size in (None, 1) or size == run.integer("sglang:tp_size"):
        return
    yield run.finding(
        f"moe-dense-tp-size {size} is neither 1 nor the tensor parallel size: SGLang knows no other",
        ("sglang:moe_dense_tp_size", "refused"),
        ("sglang:tp_size", "ranks"),
        help="use 1, or leave it out",
    )
