"""Offloading to NVMe without a place.

## What it checks
`offload_optimizer` or `offload_param` with device nvme without an `nvme_path`; and optimizer states on NVMe below
ZeRO stage 3, which has the only code that swaps.

## Why it matters
DeepSpeed stops with an error when it makes the folder for swapping; at stage 1 and 2 the states stay in the memory
of the host.

## Example
    {"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "nvme"}}}

## Instead
    {"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "nvme", "nvme_path": "/local_nvme"}}}

## Fix safety
None is offered: the path belongs to the machine.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="DS034",
    name="nvme-without-path",
    summary="offloading to NVMe without nvme_path, or below stage 3",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ""},
    when={
        "|".join(
            f"deepspeed:zero_optimization.{section}.device" for section in ("offload_optimizer", "offload_param")
        ): "nvme"
    },
    evidence=(
        Evidence(
            "deepspeed 0.19.5: deepspeed/runtime/zero/stage3.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/runtime/zero/stage3.py",
            "The folder of the optimizer's swap file is joined to nvme_path.",
        ),
        Evidence(
            "deepspeed 0.19.5: deepspeed/runtime/zero/partition_parameters.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/runtime/zero/partition_parameters.py",
            "Asserts nvme_path where parameters go to NVMe.",
        ),
        Evidence(
            "deepspeed 0.19.5: deepspeed/runtime/zero/stage_1_and_2.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/runtime/zero/stage_1_and_2.py",
            "Knows offloading to the CPU only.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    stage = run.integer("fact:zero_stage")
    for section in ("offload_optimizer", "offload_param"):
        device, path = (f"deepspeed:zero_optimization.{section}.{key}" for key in ("device", "nvme_path"))
        if run.text(device) != "nvme" or not run.is_set(device):
            continue
        if stage == 3 and run.known(path) is None:
            yield run.finding(
                f"{section} to nvme without nvme_path: DeepSpeed has no place to swap to",
                (device, "swapped"),
                (path, "no path"),
                help=f"give zero_optimization.{section}.nvme_path, a folder on a local NVMe disk",
            )
        elif section == "offload_optimizer" and stage in (1, 2):
            yield run.finding(
                f"optimizer states go to NVMe at ZeRO stage 3 only: at stage {stage} they stay in the memory of the host",
                (device, "not swapped"),
                ("fact:zero_stage", f"stage {stage}"),
                help="use stage 3, or say cpu",
                severity=Severity.WARNING,
            )
