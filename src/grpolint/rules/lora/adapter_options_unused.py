"""Options of an adapter that is not made.

## What it checks
`lora_r`, `lora_alpha`, `lora_target_modules` and the like are set for one of TRL's commands or scripts while
`use_peft` is off.

## Why it matters
No adapter is made: all parameters are trained, with the learning rate meant for an adapter and many times the memory.

## Example
    trl grpo --lora_r 16 --lora_alpha 32 --learning_rate 1e-4

## Instead
    trl grpo --use_peft true --lora_r 16 --lora_alpha 32 --learning_rate 1e-4

## Fix safety
Unsafe: it trains an adapter instead of all parameters.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.lora._model_arguments import reads_model_arguments

_OPTIONS = (
    "lora_r",
    "lora_alpha",
    "lora_target_modules",
    "lora_dropout",
    "lora_modules_to_save",
    "use_rslora",
    "use_dora",
)


@rule(
    id="LO061",
    name="adapter-options-unused",
    summary="lora options of TRL without use_peft",
    severity=Severity.WARNING,
    frameworks={"trl": ""},
    when={"trl:lora_r|trl:lora_alpha|trl:lora_target_modules|trl:use_dora|trl:use_rslora": SET},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/utils.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/utils.py",
            "get_peft_config returns None unless use_peft is on, whatever else is set.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding at the first of the options."""
    given = [key for key in _OPTIONS if run.run.setting("trl", key) is not None]
    if (
        not given
        or not reads_model_arguments(run, given[0])
        or run.is_set("trl:use_peft")
        or "peft" in run.run.settings
    ):
        return
    if run.flag("trl:use_peft") is False:
        yield run.finding(
            f"{given[0]} is set and use_peft is not: all parameters are trained",
            (f"trl:{given[0]}", "no adapter is made"),
            "trl:use_peft",
            changes=(SetOption("trl", "use_peft", value=True),),
        )
