"""Replicas of a server over several nodes.

## What it checks
`--dp-size` above 1 together with `--nnodes` above 1 and without `--enable-dp-attention`.

## Why it matters
SGLang stops with an assertion on every node: replicas live on one node, only attention may be data parallel across nodes.

## Example
    python -m sglang.launch_server --model-path m --tp-size 8 --dp-size 2 --nnodes 2 --node-rank 0

## Instead
    python -m sglang.launch_server --model-path m --tp-size 16 --dp-size 2 --enable-dp-attention --nnodes 2 --node-rank 0

## Fix safety
None is offered: a router over one server for each node is the other way.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="SG021",
    name="replicas-on-several-nodes",
    summary="dp-size above 1 on several nodes without data parallel attention",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.4.6"},
    when={"sglang:dp_size": above(1), "sglang:nnodes": above(1)},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "check_server_args asserts that it does not happen.",
        ),
        Evidence(
            "sglang 0.5.23: python/sglang/srt/arg_groups/validation_hook.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.23/python/sglang/srt/arg_groups/validation_hook.py",
            "The same, where attn_dp_size is the way across nodes.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    ranks, nodes = run.integer("sglang:dp_size"), run.integer("sglang:nnodes")
    if ranks is None or ranks < 2 or nodes is None or nodes < 2 or run.flag("sglang:enable_dp_attention") is True:
        return
    yield run.finding(
        f"dp-size {ranks} on {nodes} nodes: SGLang has replicas on one node only",
        ("sglang:dp_size", "replicas"),
        ("sglang:nnodes", "nodes"),
        help="start one server on each node behind a router, or make attention data parallel (enable_dp_attention)",
    )
