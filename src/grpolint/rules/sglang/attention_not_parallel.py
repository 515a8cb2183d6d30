"""Data parallel attention over one rank.

## What it checks
`enable_dp_attention` of SGLang while `dp_size` is 1, on a server or below slime. `enable_dp_lm_head` is lost with it.

## Why it matters
SGLang switches it off without a word, so that every rank of the tensor parallel group keeps the whole KV cache of a model with
latent attention. Before 0.5.2 it stopped with an assertion.

## Example
    --sglang-enable-dp-attention --sglang-ep-size 8

## Instead
    --sglang-enable-dp-attention --sglang-dp-size 8 --sglang-ep-size 8

## Fix safety
Unsafe: memory is used in another way.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import anywhere, change, option


@rule(
    id="SG024",
    name="attention-not-data-parallel",
    summary="enable-dp-attention with a data parallel size of 1",
    severity=Severity.WARNING,
    frameworks={"sglang": ">=0.5.2", "slime": ""},
    when={anywhere("sglang", "enable_dp_attention"): True},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "_handle_data_parallelism switches it off where dp_size is 1.",
        ),
        Evidence(
            "sglang 0.5.20: python/sglang/srt/arg_groups/overrides.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.20/python/sglang/srt/arg_groups/overrides.py",
            "The same; 0.5.1 and earlier assert that dp_size is above 1.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    switch, size = option(run, "sglang", "enable_dp_attention"), option(run, "sglang", "dp_size")
    if run.text("fact:rollout_engine") != "sglang" or run.flag(switch) is not True or run.integer(size) != 1:
        return
    if (run.integer(option(run, "sglang", "attn_dp_size")) or 1) > 1:
        return
    ranks = run.integer("fact:rollout_tp") or 1
    yield run.finding(
        "enable_dp_attention with dp_size 1 is switched off again by SGLang: one rank has nothing to share",
        (switch, "of no effect"),
        (size, "one rank"),
        help="" if ranks > 1 else "leave it out",
        changes=(change(size, ranks),) if ranks > 1 and size == "sglang:dp_size" else (),
    )
