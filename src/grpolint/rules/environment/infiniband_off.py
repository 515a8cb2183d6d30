"""InfiniBand switched off and configured.

## What it checks
`NCCL_IB_DISABLE=1` together with other `NCCL_IB_` variables such as `NCCL_IB_HCA`.

## Why it matters
With the switch NCCL does not look for InfiniBand or RoCE and goes over TCP sockets: the other lines have no effect, and between nodes
the bandwidth falls by an order of magnitude.

## Example
    export NCCL_IB_DISABLE=1
    export NCCL_IB_HCA=mlx5_0,mlx5_1

## Instead
    export NCCL_IB_HCA=mlx5_0,mlx5_1

## Fix safety
None is offered: which of the two is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_SWITCH = "env:NCCL_IB_DISABLE"


@rule(
    id="EN033",
    name="infiniband-off-and-configured",
    summary="NCCL_IB_DISABLE=1 with settings for InfiniBand",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={_SWITCH: "1"},
    evidence=(
        Evidence(
            "NVIDIA/nccl: documentation of NCCL_IB_DISABLE",
            "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html#nccl-ib-disable",
            "With 1 NCCL does not use InfiniBand or RoCE and falls back to sockets.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding with all of them."""
    others = [name for name in run.run.env if name.startswith("NCCL_IB_") and name != "NCCL_IB_DISABLE"]
    if others and run.text(_SWITCH) == "1":
        yield run.finding(
            f"NCCL_IB_DISABLE=1 leaves {', '.join(others)} without effect",
            (_SWITCH, "InfiniBand is off"),
            *((f"env:{name}", "without effect") for name in others),
            help="remove one or the other",
        )
