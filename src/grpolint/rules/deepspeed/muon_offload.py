"""Muon whose optimizer states are offloaded.

## What it checks
The optimizer is Muon, ZeRO stage 1 or 2 offloads optimizer states, and DeepSpeed is older than 0.19.8.

## Why it matters
Offloading keeps flat slices of gradients. A slice is no matrix, so that the orthogonalisation that makes the optimizer Muon
was skipped and the run trained with plain momentum. From 0.19.3 to 0.19.7 DeepSpeed refuses it together with
`reduce_scatter`, which is on by default.

## Example
    {"optimizer": {"type": "Muon"}, "zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}}

## Instead
    {"optimizer": {"type": "Muon"}, "zero_optimization": {"stage": 2}}

## Fix safety
None is offered: without offloading more memory is needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.versions import satisfies


@rule(
    id="DS015",
    name="muon-offloaded",
    summary="Muon with offloaded optimizer states before DeepSpeed 0.19.8",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ">=0.17.6,<0.19.8"},
    when={"fact:optimizer": "muon", "fact:offload_optimizer": ("cpu", "nvme")},
    evidence=(
        Evidence(
            "deepspeedai/DeepSpeed#8463",
            "https://github.com/deepspeedai/DeepSpeed/issues/8463",
            "Under offloading Muon lost the shape of the matrices.",
        ),
        Evidence(
            "deepspeed 0.19.7: deepspeed/runtime/zero/stage_1_and_2.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.7/deepspeed/runtime/zero/stage_1_and_2.py",
            "Raises ValueError for Muon with reduce_scatter and offloading; 0.19.8 orthogonalises whole matrices there.",
        ),
    ),
    aliases=("N02",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the combination."""
    stage, device = run.integer("fact:zero_stage"), run.text("fact:offload_optimizer")
    if stage not in (1, 2) or device not in ("cpu", "nvme") or run.text("fact:optimizer") != "muon":
        return
    version = run.run.settings["deepspeed"].version.text
    refused = satisfies(version, ">=0.19.3") and run.flag("deepspeed:zero_optimization.reduce_scatter") is True
    effect = "is refused" if refused else "is not orthogonalised"
    yield run.finding(
        f"Muon with optimizer states on {device} {effect} by DeepSpeed {version}: offloading keeps slices, not matrices",
        ("fact:offload_optimizer", "offloaded"),
        ("fact:optimizer", "Muon"),
        ("fact:zero_stage", f"stage {stage}"),
        help="use deepspeed 0.19.8 or later, or keep the optimizer on the device",
    )
