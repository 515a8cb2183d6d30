"""Options that LLaMA-Factory does not take with ZeRO stage 3.

## What it checks
predict_with_generate, pure_bf16, pissa_init, use_unsloth and use_kt with a DeepSpeed configuration of stage 3.

## Why it matters
The run ends with a ValueError before the model is loaded.

## Example
    llamafactory-cli train --deepspeed ds_z3_config.json --pure_bf16

## Instead
    llamafactory-cli train --deepspeed ds_z2_config.json --pure_bf16

## Fix safety
None is offered: either of the two may be meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="LF002",
    name="refused-with-zero-3",
    summary="what LLaMA-Factory refuses with ZeRO stage 3",
    severity=Severity.ERROR,
    frameworks={"llamafactory": ">=0.9"},
    when={"fact:zero_stage": 3},
    evidence=(
        Evidence(
            "llamafactory 0.9.5: llamafactory/hparams/parser.py",
            "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.5/src/llamafactory/hparams/parser.py",
            "get_train_args raises ValueError for each of them where ZeRO-3 is enabled.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    if run.integer("fact:zero_stage") != 3:
        return
    for key in ("predict_with_generate", "pure_bf16", "pissa_init", "use_unsloth", "use_kt"):
        if run.flag(f"llamafactory:{key}") is True:
            yield run.finding(
                f"{key} is refused with ZeRO stage 3",
                (f"llamafactory:{key}", "refused"),
                ("fact:zero_stage", "stage 3"),
                help="take it out, or shard with stage 2",
            )
