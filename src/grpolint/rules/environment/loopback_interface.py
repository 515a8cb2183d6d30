"""The loopback interface for communication between machines.

## What it checks
`NCCL_SOCKET_IFNAME`, `GLOO_SOCKET_IFNAME` or `HCCL_SOCKET_IFNAME` set to `lo` in a run on several nodes.

## Why it matters
Each node then offers the others an address that leads to themselves: connection refused, or a hang until the timeout.

## Example
    export NCCL_SOCKET_IFNAME=lo   # with trainer.nnodes=2

## Instead
    export NCCL_SOCKET_IFNAME=eth0

## Fix safety
None is offered: the name of the interface is not known here.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_INTERFACES = ("NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "HCCL_SOCKET_IFNAME", "TP_SOCKET_IFNAME")
_LOOPBACK = ("lo", "=lo", "lo,")


@rule(
    id="EN031",
    name="loopback-between-nodes",
    summary="the loopback interface for communication between machines",
    severity=Severity.ERROR,
    when={"fact:nodes": above(1)},
    evidence=(
        Evidence(
            "NVIDIA/nccl: documentation of NCCL_SOCKET_IFNAME",
            "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html#nccl-socket-ifname",
            "The loopback interface is used only where there is no other, because nothing else can be reached by it.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each variable."""
    for name in _INTERFACES:
        if name not in run.run.env or run.text(f"env:{name}") not in _LOOPBACK:
            continue
        nodes = run.integer("fact:nodes")
        if nodes is not None and nodes > 1:
            yield run.finding(
                f"{name} is lo, by which {nodes} nodes cannot reach each other",
                (f"env:{name}", "the machine itself"),
                ("fact:nodes", f"{nodes} nodes"),
                help="name the interface of the network between the nodes (ip -o addr)",
            )
