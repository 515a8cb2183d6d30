"""Consumer cards without peer access under a launcher that does not say so to NCCL.

## What it checks
TRL started by torchrun or deepspeed on several RTX 40 cards without `NCCL_P2P_DISABLE` and `NCCL_IB_DISABLE`.

## Why it matters
accelerate stops with NotImplementedError on these cards unless both variables are set or the driver is 550.40.07 or newer;
`accelerate launch` sets them by itself.

## Example
    torchrun --nproc_per_node 2 grpo.py   # --gpu rtx4090

## Instead
    NCCL_P2P_DISABLE=1 NCCL_IB_DISABLE=1 torchrun --nproc_per_node 2 grpo.py

## Fix safety
None is offered: with a newer driver peer access is not asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_VARIABLES = ("NCCL_P2P_DISABLE", "NCCL_IB_DISABLE")


@rule(
    id="EN035",
    name="cards-without-peer-access",
    summary="several RTX 40 cards without NCCL_P2P_DISABLE under torchrun",
    severity=Severity.WARNING,
    confidence=Confidence.LOW,
    frameworks={"trl": ""},
    when={"fact:launcher": ("torchrun", "deepspeed"), "fact:world_size": above(1), "fact:gpu_memory": above(0)},
    evidence=(
        Evidence(
            "accelerate 1.10.0: accelerate/state.py",
            "https://github.com/huggingface/accelerate/blob/v1.10.0/src/accelerate/state.py",
            "Raises NotImplementedError for several RTX 40 cards with a driver before 550.40.07 and without the variables.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if both conditions hold."""
    gpu = "".join((run.text("fact:gpu") or "").lower().replace("geforce", "").split()).replace("-", "")
    if not gpu.removeprefix("nvidia").startswith("rtx40") or all(name in run.run.env for name in _VARIABLES):
        return
    size = run.integer("fact:world_size")
    if size is not None and size > 1:
        yield run.finding(
            f"accelerate stops on {size} cards of this series without {' and '.join(_VARIABLES)}, "
            "unless the driver is 550.40.07 or newer",
            "fact:gpu",
            ("fact:world_size", f"{size} cards"),
            help="set both to 1, use accelerate launch, or update the driver",
        )
