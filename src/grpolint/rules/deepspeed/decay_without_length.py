"""A decay without a length.

## What it checks
A `scheduler` of type WarmupDecayLR or WarmupCosineLR without `total_num_steps`, or with fewer steps in all than
steps of warm-up.

## Why it matters
Without it the scheduler cannot be made, and the run stops with a TypeError. With too few the rate falls to zero
before it has reached its peak.

## Example
    {"scheduler": {"type": "WarmupDecayLR", "params": {"warmup_max_lr": 1e-6, "warmup_num_steps": 50}}}

## Instead
    {"scheduler": {"type": "WarmupDecayLR", "params": {"warmup_max_lr": 1e-6, "warmup_num_steps": 50, "total_num_steps": 1000}}}

## Fix safety
None is offered: the number of steps follows from the data.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_TOTAL = "deepspeed:scheduler.params.total_num_steps"
_WARM = "deepspeed:scheduler.params.warmup_num_steps"


@rule(
    id="DS032",
    name="decay-without-length",
    summary="WarmupDecayLR without total_num_steps, or with fewer than it warms up",
    severity=Severity.WARNING,
    frameworks={"deepspeed": ""},
    when={"deepspeed:scheduler.type": ("WarmupDecayLR", "WarmupCosineLR")},
    evidence=(
        Evidence(
            "deepspeed 0.19.5: deepspeed/runtime/lr_schedules.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/runtime/lr_schedules.py",
            "total_num_steps has no default, and fewer than warmup_num_steps are warned of.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    kind = run.text("deepspeed:scheduler.type")
    if kind not in ("WarmupDecayLR", "WarmupCosineLR"):
        return
    if not run.is_set(_TOTAL):
        yield run.finding(
            f"{kind} without total_num_steps: DeepSpeed cannot make the scheduler",
            ("deepspeed:scheduler.type", "needs a length"),
            help="give scheduler.params.total_num_steps, or auto under Transformers",
            severity=Severity.ERROR,
        )
        return
    steps, warm = run.integer(_TOTAL), run.integer(_WARM)
    if steps is not None and warm is not None and steps < warm:
        yield run.finding(
            f"total_num_steps {steps} < warmup_num_steps {warm}: the rate never reaches its peak",
            (_TOTAL, "steps in all"),
            (_WARM, "steps of warm-up"),
            help="give the number of optimizer steps of the whole run",
        )
