"""An option that belongs to another stage.

## What it checks
predict_with_generate, neat_packing, train_on_prompt and mask_history with any stage but sft; load_best_model_at_end
with rm and ppo.

## Why it matters
The run ends with a ValueError once the arguments are read.

## Example
    llamafactory-cli train --stage dpo --neat_packing

## Instead
    llamafactory-cli train --stage dpo

## Fix safety
None is offered: the stage may be what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="LF003",
    name="option-of-another-stage",
    summary="an option of another stage of LLaMA-Factory",
    severity=Severity.ERROR,
    frameworks={"llamafactory": ">=0.9"},
    when={"llamafactory:stage": ("pt", "rm", "ppo", "dpo", "kto")},
    evidence=(
        Evidence(
            "llamafactory 0.9.5: llamafactory/hparams/parser.py",
            "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.5/src/llamafactory/hparams/parser.py",
            "get_train_args raises ValueError for each of them outside its stage.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    stage = run.text("llamafactory:stage")
    if stage is None or stage == "sft":
        return
    for key in ("predict_with_generate", "neat_packing", "train_on_prompt", "mask_history"):
        if run.flag(f"llamafactory:{key}") is True:
            yield run.finding(
                f"{key} is refused in stage {stage}",
                (f"llamafactory:{key}", "only in stage sft"),
                "llamafactory:stage",
                help="take it out",
            )
    if stage in ("rm", "ppo") and run.flag("transformers:load_best_model_at_end") is True:
        yield run.finding(
            f"load_best_model_at_end is refused in stage {stage}",
            "transformers:load_best_model_at_end",
            "llamafactory:stage",
            help="take it out",
        )
