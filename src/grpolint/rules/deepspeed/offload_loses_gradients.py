"""Offloaded optimizer states that see two micro batches only.

## What it checks
ZeRO stage 2 with optimizer states offloaded and three or more micro batches in an optimizer step, with
DeepSpeed from 0.15.2 to before 0.19.0. It holds for OpenRLHF's `adam_offload` too. At stage 1 gradients add up on the
device until the last micro batch, and nothing is lost.

## Why it matters
Gradients are copied to the host for the first micro batch only, and later ones are added to that copy without being
stored. What the optimizer gets is the sum of the first and the last micro batch: the rest of the batch is computed
and thrown away, and the gradient norm is too small. Nothing reports it.

## Example
    {"gradient_accumulation_steps": 8, "zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}}

## Instead
    pip install 'deepspeed>=0.19.0'

## Fix safety
None is offered: the remedy is another release, stage 3, or no offloading.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="DS037",
    name="offload-loses-micro-batches",
    summary="optimizer offload at stage 2 drops all micro batches but the first and the last before 0.19.0",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ">=0.15.2,<0.19.0"},
    when={"fact:zero_stage": 2, "fact:offload_optimizer": ("cpu", "nvme"), "fact:gradient_accumulation": above(2)},
    evidence=(
        Evidence(
            "deepspeedai/DeepSpeed#7967",
            "https://github.com/deepspeedai/DeepSpeed/pull/7967",
            "Gradients of later micro batches were dropped under offloading; stored on every micro step since 0.19.0.",
        ),
        Evidence(
            "deepspeed 0.18.9: deepspeed/runtime/zero/stage_1_and_2.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.18.9/deepspeed/runtime/zero/stage_1_and_2.py",
            "async_accumulate_grad_in_cpu_via_gpu copies to the host only where micro_step_id is 0; 0.15.1 did at every step but the last. "
            "Without partitioned gradients (stage 1) it is called at the last micro batch alone.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    stage = run.integer("fact:zero_stage")
    if stage != 2 or run.text("fact:offload_optimizer") not in ("cpu", "nvme"):
        return
    steps = run.integer("fact:gradient_accumulation")
    if steps is not None and steps > 2:
        version = run.run.settings["deepspeed"].version.text
        yield run.finding(
            f"DeepSpeed {version} trains on 2 of {steps} micro batches at ZeRO stage {stage} with offloaded optimizer states: "
            "the others are lost",
            ("fact:offload_optimizer", "offloaded"),
            ("fact:gradient_accumulation", f"{steps} micro batches of a step"),
            ("fact:zero_stage", f"stage {stage}"),
            notes=("fixed in deepspeed 0.19.0",),
            help="use deepspeed 0.19.0 or later, stage 3, or no offloading",
        )
