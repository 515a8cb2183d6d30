"""Offload settings that do nothing.

## What it checks
`offload_param` below ZeRO stage 3, and `offload_optimizer` at stage 0.

## Why it matters
Parameters are offloaded only where they are partitioned, which is stage 3; optimizer states from stage 1 on. Below, the
memory that the section was meant to save is not saved. At stage 0 DeepSpeed also builds its CPU Adam for a model that
stays on the GPU, and the first step stops with an assertion.

## Example
    {"zero_optimization": {"stage": 2, "offload_param": {"device": "cpu"}}}

## Instead
    {"zero_optimization": {"stage": 3, "offload_param": {"device": "cpu"}}}

## Fix safety
None is offered: another stage changes memory, speed and checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_ZERO = "deepspeed:zero_optimization"


@rule(
    id="DS005",
    name="offload-without-effect",
    summary="an offload section that has no effect at this ZeRO stage",
    severity=Severity.WARNING,
    frameworks={"deepspeed": ""},
    evidence=(
        Evidence(
            "deepspeed 0.19.8: deepspeed/runtime/engine.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/engine.py",
            "Only the optimizer of stage 3 is given offload_param; the CPU Adam is chosen whatever the stage is.",
        ),
        Evidence(
            "DeepSpeed documentation: configuration JSON",
            "https://www.deepspeed.ai/docs/config-json/",
            "Parameter offload is valid with stage 3, optimizer offload with stages 1, 2 and 3.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each section without effect."""
    for section, least in (("offload_param", 3), ("offload_optimizer", 1)):
        if not run.is_set(f"{_ZERO}.{section}.device"):
            continue
        device, stage = run.text(f"{_ZERO}.{section}.device"), run.integer("fact:zero_stage")
        if device in (None, "none") or stage is None or stage >= least:
            continue
        yield run.finding(
            f"{section} to {device} needs ZeRO stage {least}{'' if least == 3 else ' or higher'}, and the stage is {stage}: "
            "nothing is offloaded",
            (f"{_ZERO}.{section}.device", "without effect"),
            ("fact:zero_stage", f"stage {stage}"),
            help=f"use stage {least} or remove {section}",
        )
