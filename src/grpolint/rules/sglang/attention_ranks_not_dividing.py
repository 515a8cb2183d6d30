"""Data parallel attention that does not divide the ranks.

## What it checks
`--tp-size` must be a multiple of `--dp-size` where `--enable-dp-attention` is on, of a server or of slime's engines.

## Why it matters
SGLang stops with an assertion. Under data parallel attention the size does not multiply the ranks, it divides them.

## Example
    python -m sglang.launch_server --model-path m --tp-size 8 --dp-size 3 --enable-dp-attention

## Instead
    python -m sglang.launch_server --model-path m --tp-size 8 --dp-size 4 --enable-dp-attention

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="SG026",
    name="attention-ranks-not-dividing",
    summary="dp-size does not divide tp-size under data parallel attention",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.4.6"},
    when={"sglang:enable_dp_attention": True},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "_handle_data_parallelism asserts that nothing is left.",
        ),
        Evidence(
            "sglang 0.4.6.post5: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.4.6.post5/python/sglang/srt/server_args.py",
            "The same assertion.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if ranks would be left over."""
    if run.flag("sglang:enable_dp_attention") is not True:
        return
    groups = Size.of(run, Term("sglang:dp_size", "dp-size", "groups of ranks"))
    ranks = Size.of(run, Term("sglang:tp_size", "tp-size", "ranks"))
    yield from multiple(run, ranks, groups, "data parallel attention divides the ranks of the engine")
