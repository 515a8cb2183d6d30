"""A pattern where Gloo wants the name of an interface.

## What it checks
`GLOO_SOCKET_IFNAME` with what only NCCL understands: a leading `^` or `=`, and beginnings of names such as `eth` or `ib`.

## Why it matters
Gloo takes each entry for the whole name of an interface and stops with "Unable to find address for: eth".

## Example
    export GLOO_SOCKET_IFNAME=^docker0,lo

## Instead
    export GLOO_SOCKET_IFNAME=eth0

## Fix safety
None is offered: the name of the interface is not known here.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_NAME = "env:GLOO_SOCKET_IFNAME"
_BEGINNINGS = ("eth", "en", "ens", "enp", "eno", "ib", "bond")


@rule(
    id="EN032",
    name="gloo-interface-pattern",
    summary="a pattern where Gloo wants the name of an interface",
    severity=Severity.ERROR,
    when={_NAME: SET},
    evidence=(
        Evidence(
            "pytorch documentation: distributed, choosing the network interface",
            "https://docs.pytorch.org/docs/stable/distributed.html#choosing-the-network-interface-to-use",
            "GLOO_SOCKET_IFNAME is a name or several names with commas between them.",
        ),
        Evidence(
            "NVIDIA/nccl: documentation of NCCL_SOCKET_IFNAME",
            "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html#nccl-socket-ifname",
            "Only NCCL takes beginnings of names, ^ to exclude and = for whole names.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the first entry that is no name."""
    text = run.text(_NAME)
    for entry in (text or "").split(","):
        if entry[:1] in ("^", "=") or entry in _BEGINNINGS:
            yield run.finding(
                f"Gloo looks for an interface with the name {entry}, and knows no patterns",
                (_NAME, "patterns are NCCL's"),
                help="give the whole name of the interface (ip -o addr)",
            )
            return
