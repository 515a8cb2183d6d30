"""A saved model without weights.

## What it checks
A Trainer of Transformers or TRL that trains all parameters under ZeRO stage 3 while
`stage3_gather_16bit_weights_on_model_save` is off, as it is by default (`zero3_save_16bit_model` of accelerate).

## Why it matters
The Trainer warns once and writes DeepSpeed's own partitioned checkpoint: there is no file of weights that a later
step, an evaluation or an engine could load until somebody converts it.

## Example
    {"zero_optimization": {"stage": 3}}

## Instead
    {"zero_optimization": {"stage": 3, "stage3_gather_16bit_weights_on_model_save": true}}

## Fix safety
Safe: it costs time when a model is saved.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_GATHER = "deepspeed:zero_optimization.gather_16bit_weights_on_model_save"


@rule(
    id="DS042",
    name="weights-not-gathered",
    summary="the Trainer saves no weights under ZeRO-3 without stage3_gather_16bit_weights_on_model_save",
    severity=Severity.WARNING,
    frameworks={"deepspeed": ""},
    when={
        "fact:zero_stage": 3,
        "transformers:output_dir|transformers:deepspeed|transformers:per_device_train_batch_size": SET,
    },
    evidence=(
        Evidence(
            "transformers 5.10.1: src/transformers/trainer.py",
            "https://github.com/huggingface/transformers/blob/v5.10.1/src/transformers/trainer.py",
            "save_model catches the error of the gather, warns, and saves DeepSpeed's checkpoint instead.",
        ),
        Evidence(
            "deepspeed 0.19.5: deepspeed/runtime/zero/config.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/runtime/zero/config.py",
            "gather_16bit_weights_on_model_save is false by default.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if "transformers" not in run.run.settings or run.integer("fact:zero_stage") != 3:
        return
    if run.flag("fact:lora") is True or (run.number("fact:lora_rank") or 0) > 0:
        return
    if run.text("transformers:save_strategy") == "no":
        return
    places = ("deepspeed:zero_optimization.stage3_gather_16bit_weights_on_model_save", _GATHER)
    key = next((ref for ref in places if run.is_set(ref)), _GATHER)
    if run.flag(key) is False:
        yield run.finding(
            "the Trainer saves no weights under ZeRO-3 while stage3_gather_16bit_weights_on_model_save is off",
            (key, "not gathered"),
            ("fact:zero_stage", "stage 3"),
            help='set "stage3_gather_16bit_weights_on_model_save": true, or convert each checkpoint with zero_to_fp32.py',
        )
