"""Engines of slime placed by a number of devices that the nodes do not have.

## What it checks
`--colocate` on several nodes while `--num-gpus-per-node`, 8 by default, differs from `--actor-num-gpus-per-node`.

## Why it matters
The addresses of the engines are computed from num-gpus-per-node. With a larger one engines of other nodes get the address of
the first node and cannot bind to it.

## Example
    --actor-num-nodes 2 --actor-num-gpus-per-node 4 --colocate

## Instead
    --actor-num-nodes 2 --actor-num-gpus-per-node 4 --num-gpus-per-node 4 --colocate

## Fix safety
Safe: it says what the nodes have.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="SL151",
    name="devices-of-node",
    summary="colocated engines on several nodes with another num-gpus-per-node than the nodes have",
    severity=Severity.ERROR,
    frameworks={"slime": ">=0.2.4,<=0.3.1"},
    when={"slime:colocate": True, "slime:actor_num_nodes": above(1)},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/ray/rollout.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/ray/rollout.py",
            "The node of an engine is its rank // (num_gpus_per_node // GPUs of an engine), and its address that of the node.",
        ),
        Evidence(
            "THUDM/slime#2012",
            "https://github.com/THUDM/slime/pull/2012",
            "On nodes with 4 GPUs the default of 8 gives every engine the address of the head node, and binding fails.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with both numbers."""
    nodes = run.integer("slime:actor_num_nodes")
    if nodes is None or nodes < 2 or run.flag("slime:colocate") is not True:
        return
    has, told = run.integer("slime:actor_num_gpus_per_node"), run.integer("slime:num_gpus_per_node")
    if has is None or told is None or has >= told:
        return
    yield run.finding(
        f"num-gpus-per-node {told} and actor-num-gpus-per-node {has}: engines of the later nodes are given addresses of earlier"
        " ones and cannot bind",
        ("slime:num_gpus_per_node", f"{told} on a node"),
        ("slime:actor_num_gpus_per_node", f"{has} on a node"),
        changes=(SetOption("slime", "num_gpus_per_node", has, safe=True),),
    )
