"""Gradients scaled before they are scattered.

## What it checks
`prescale_gradients` true or `gradient_predivide_factor` other than 1 at ZeRO stage 2 or 3, while `reduce_scatter`
is on, as it is by default.

## Why it matters
DeepSpeed stops with an assertion when the optimizer is made. The keys come from examples for stage 0 and 1, where
they work.

## Example
    {"prescale_gradients": true, "zero_optimization": {"stage": 2}}

## Instead
    {"prescale_gradients": false, "zero_optimization": {"stage": 2}}

## Fix safety
Safe: DeepSpeed then scales after the reduction, as it does by default.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule, show

_PRESCALE = "deepspeed:prescale_gradients"
_FACTOR = "deepspeed:gradient_predivide_factor"
_SCATTER = "deepspeed:zero_optimization.reduce_scatter"


@rule(
    id="DS030",
    name="prescaled-gradients-refused",
    summary="prescale_gradients or a predivide factor with reduce_scatter at stage 2 and 3",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ""},
    when={f"{_PRESCALE}|{_FACTOR}": SET, "fact:zero_stage": (2, 3)},
    evidence=(
        Evidence(
            "deepspeed 0.19.5: deepspeed/runtime/zero/stage_1_and_2.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/runtime/zero/stage_1_and_2.py",
            "Asserts both where gradients are partitioned and reduce_scatter is on.",
        ),
        Evidence(
            "deepspeed 0.19.5: deepspeed/runtime/zero/stage3.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/runtime/zero/stage3.py",
            "Asserts both where reduce_scatter is on.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.integer("fact:zero_stage") not in (2, 3) or run.flag(_SCATTER) is False:
        return
    places = ((_SCATTER, "scattered"), ("fact:zero_stage", ""))
    if run.flag(_PRESCALE) is True:
        yield run.finding(
            "prescale_gradients does not work with reduce_scatter at ZeRO stage 2 and 3: DeepSpeed refuses it",
            (_PRESCALE, "scaled before"),
            *places,
            changes=(SetOption("deepspeed", "prescale_gradients", False, safe=True),),
        )
    factor = run.number(_FACTOR)
    if factor is not None and factor != 1:
        yield run.finding(
            f"gradient_predivide_factor {show(factor)} does not work with reduce_scatter at ZeRO stage 2 and 3: DeepSpeed refuses it",
            (_FACTOR, "not 1"),
            *places,
            help="leave gradient_predivide_factor at 1.0, or switch reduce_scatter off",
        )
