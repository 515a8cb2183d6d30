"""ZeRO with an optimizer that it does not know.

## What it checks
An `optimizer.type` of the DeepSpeed file that ZeRO was not made for (Lamb, SGD, the one-bit optimizers, ...)
without `zero_allow_untested_optimizer`.

## Why it matters
DeepSpeed stops with an assertion when the engine is made.

## Example
    {"optimizer": {"type": "SGD", "params": {"lr": 1e-3}}, "zero_optimization": {"stage": 2}}

## Instead
    {"optimizer": {"type": "AdamW", "params": {"lr": 1e-6}}, "zero_optimization": {"stage": 2}}

## Fix safety
None is offered: whether to try it is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_KNOWN = ("adam", "adamw", "adagrad", "lion", "muon")
_ALLOW = "deepspeed:zero_allow_untested_optimizer"


@rule(
    id="DS033",
    name="untested-optimizer",
    summary="ZeRO with an optimizer that it does not know",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ""},
    when={"deepspeed:optimizer.type": SET},
    evidence=(
        Evidence(
            "deepspeed 0.19.5: deepspeed/runtime/engine.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/runtime/engine.py",
            "_do_optimizer_sanity_check asserts zero_allow_untested_optimizer for other optimizers.",
        ),
        Evidence(
            "deepspeed 0.19.5: deepspeed/runtime/zero/utils.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/runtime/zero/utils.py",
            "ZERO_SUPPORTED_OPTIMIZERS: Adam, AdamW, Adagrad and Lion in their several forms, and Muon.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if not run.is_set("deepspeed:optimizer.type"):
        return
    name = run.text("deepspeed:optimizer.type")
    stage = run.integer("fact:zero_stage")
    if name is None or name.lower() in _KNOWN or not stage or run.flag(_ALLOW) is True:
        return
    yield run.finding(
        f"ZeRO stage {stage} does not know the optimizer {name}: DeepSpeed refuses it without zero_allow_untested_optimizer",
        ("deepspeed:optimizer.type", name),
        ("fact:zero_stage", f"stage {stage}"),
        (_ALLOW, "not allowed"),
        help="use Adam or AdamW, or set zero_allow_untested_optimizer to true to try it",
    )
