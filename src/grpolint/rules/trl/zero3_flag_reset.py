"""Loading for ZeRO-3 without ZeRO-3.

## What it checks
accelerate's `zero3_init_flag` is on while the ZeRO stage is not 3.

## Why it matters
accelerate warns and switches it off: each process loads the whole model.

## Example
    deepspeed_config: {zero_stage: 2, zero3_init_flag: true}

## Instead
    deepspeed_config: {zero_stage: 2, zero3_init_flag: false}

## Fix safety
Safe: it says what accelerate does anyway.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, below, rule


@rule(
    id="TR073",
    name="zero3-flag-reset",
    summary="zero3_init_flag without ZeRO stage 3",
    severity=Severity.INFO,
    frameworks={"accelerate": ">=1.0"},
    when={"accelerate:zero3_init_flag": True, "fact:zero_stage": below(3)},
    evidence=(
        Evidence(
            "accelerate 1.15.0: accelerate/utils/dataclasses.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/utils/dataclasses.py",
            "DeepSpeedPlugin warns and sets it to false; the same in 1.0.1.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the stage."""
    if run.run.setting("accelerate", "zero3_init_flag") is None or run.flag("accelerate:zero3_init_flag") is not True:
        return
    stage = run.integer("fact:zero_stage")
    if stage is not None and stage != 3:
        yield run.finding(
            f"accelerate changes zero3_init_flag from true to false: the ZeRO stage is {stage}",
            ("accelerate:zero3_init_flag", "for ZeRO-3 alone"),
            ("fact:zero_stage", f"stage {stage}"),
            changes=(SetOption("accelerate", "zero3_init_flag", value=False, safe=True),),
        )
