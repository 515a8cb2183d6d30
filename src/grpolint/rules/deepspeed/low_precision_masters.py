"""Masters in 16 bits without what they need.

## What it checks
`bf16_master_weights_and_grads`, `bf16_optimizer_states` or `fp16_master_weights_and_grads` without ZeRO stage 1 to
3, and `bf16_optimizer_states` without `bf16_master_weights_and_grads`.

## Why it matters
DeepSpeed refuses the configuration.

## Example
    {"bf16": {"enabled": true, "bf16_optimizer_states": true}, "zero_optimization": {"stage": 2}}

## Instead
    {"bf16": {"enabled": true, "bf16_optimizer_states": true, "bf16_master_weights_and_grads": true},
     "zero_optimization": {"stage": 2}}

## Fix safety
None is offered: the types of masters and states change the training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_MASTERS = "deepspeed:bf16.bf16_master_weights_and_grads"
_STATES = "deepspeed:bf16.bf16_optimizer_states"


@rule(
    id="DS035",
    name="low-precision-masters-refused",
    summary="master weights or states in 16 bits without ZeRO, or without each other",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ">=0.18.3"},
    when={f"{_MASTERS}|{_STATES}|deepspeed:fp16.fp16_master_weights_and_grads": True},
    evidence=(
        Evidence(
            "deepspeed 0.19.5: deepspeed/runtime/config.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/runtime/config.py",
            "_do_error_check asserts each of these.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    stage = run.integer("fact:zero_stage") or 0
    for ref in (_MASTERS, _STATES, "deepspeed:fp16.fp16_master_weights_and_grads"):
        if run.flag(ref) is True and stage not in (1, 2, 3):
            yield run.finding(
                f"{ref.rpartition('.')[2]} needs ZeRO stage 1, 2 or 3, and the stage is {stage}: DeepSpeed refuses it",
                (ref, "16 bits"),
                ("fact:zero_stage", f"stage {stage}"),
                help="use a ZeRO stage, or leave masters in 32 bits",
            )
    if run.flag(_STATES) is True and run.flag(_MASTERS) is not True:
        yield run.finding(
            "bf16_optimizer_states needs bf16_master_weights_and_grads: DeepSpeed refuses it",
            (_STATES, "states in bf16"),
            (_MASTERS, "masters in 32 bits"),
            help="set bf16_master_weights_and_grads too, or leave the states in 32 bits",
        )
