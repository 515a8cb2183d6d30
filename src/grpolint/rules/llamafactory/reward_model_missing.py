"""PPO without anything that rewards.

## What it checks
stage ppo without reward_model; reward_model_type lora (the default) with another finetuning_type than lora.

## Why it matters
The run ends with a ValueError once the arguments are read.

## Example
    llamafactory-cli train --stage ppo --finetuning_type full --reward_model saves/rm

## Instead
    llamafactory-cli train --stage ppo --finetuning_type full --reward_model saves/rm --reward_model_type full

## Fix safety
Unsafe: it says how the reward model is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="LF008",
    name="llamafactory-reward-model-missing",
    summary="PPO of LLaMA-Factory without a reward model",
    severity=Severity.ERROR,
    frameworks={"llamafactory": ">=0.9"},
    when={"llamafactory:stage": "ppo"},
    evidence=(
        Evidence(
            "llamafactory 0.9.5: llamafactory/hparams/finetuning_args.py",
            "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.5/src/llamafactory/hparams/finetuning_args.py",
            "FinetuningArguments raises ValueError for ppo without reward_model, and for a LoRA reward model without LoRA.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("llamafactory:stage") != "ppo":
        return
    kind, way = run.text("llamafactory:reward_model_type"), run.text("llamafactory:finetuning_type")
    if run.known("llamafactory:reward_model") is None:
        yield run.finding(
            "stage ppo without reward_model is refused", "llamafactory:stage", help="name it with reward_model"
        )
    elif kind in ("lora", "oft") and way != kind:
        yield run.finding(
            f"reward_model_type {kind} is refused with finetuning_type {way}",
            "llamafactory:reward_model_type",
            ("llamafactory:finetuning_type", "no adapter to exchange"),
            "llamafactory:reward_model",
            changes=(SetOption("llamafactory", "reward_model_type", "full"),),
        )
