"""Part of the optimizer states on the CPU, and all of them on disk.

## What it checks
`offload_optimizer.ratio` below 1 together with `offload_optimizer.device` nvme at ZeRO stage 3.

## Why it matters
The ratio shares the optimizer between GPU and CPU. With NVMe the states are swapped from disk for both halves, and the half
that the GPU steps meets tensors of the CPU: reports end in an error when the optimizer is made.

## Example
    "offload_optimizer": {"device": "nvme", "nvme_path": "/mnt/nvme", "ratio": 0.5}

## Instead
    "offload_optimizer": {"device": "cpu", "pin_memory": true, "ratio": 0.5}

## Fix safety
Unsafe: the states have to fit into the memory of the host.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, below, rule, show

_SECTION = "zero_optimization.offload_optimizer"
_RATIO, _DEVICE = f"deepspeed:{_SECTION}.ratio", f"deepspeed:{_SECTION}.device"


@rule(
    id="DS150",
    name="partial-offload-to-disk",
    summary="offload_optimizer.ratio below 1 with NVMe",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"deepspeed": ">=0.12"},
    when={_RATIO: below(1), _DEVICE: "nvme"},
    evidence=(
        Evidence(
            "deepspeedai/DeepSpeed#4872",
            "https://github.com/deepspeedai/DeepSpeed/issues/4872",
            "A ratio of 0.5 with NVMe stops while the optimizer is made; the author of the feature calls the configuration wrong"
            " and wants the device cpu.",
            "partly",
        ),
        Evidence(
            "deepspeed 0.19.8: deepspeed/runtime/zero/stage3.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/zero/stage3.py",
            "A ratio other than 1 makes a second optimizer for the groups that stay on the GPU.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with both places."""
    ratio = run.number(_RATIO)
    if ratio is not None and ratio < 1 and run.text(_DEVICE) == "nvme":
        yield run.finding(
            f"offload_optimizer.ratio {show(ratio)} shares the optimizer between GPU and CPU, and its states are on nvme",
            (_RATIO, "part of the states"),
            (_DEVICE, "all of them on disk"),
            changes=(SetOption("deepspeed", f"{_SECTION}.device", "cpu"),),
        )
