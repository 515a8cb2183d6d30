"""A 4-bit base under FSDP1, stored in another type than the rest.

## What it checks
`load_in_4bit` of TRL under FSDP1 without `bnb_4bit_quant_storage`. Up to TRL 0.25 the storage followed the type of
the model.

## Why it matters
FSDP1 flattens the weights of a layer into one tensor, which wants one type: bytes beside bfloat16 stop the run when
the model is wrapped.

## Example
    trl sft --use_peft true --load_in_4bit true      under FSDP1

## Instead
    trl sft --use_peft true --load_in_4bit true --bnb_4bit_quant_storage bfloat16      under FSDP1

## Fix safety
Safe: it changes how the weights are stored, not their values.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.lora._model_arguments import reads_model_arguments

_STORAGE = "trl:bnb_4bit_quant_storage"


@rule(
    id="LO063",
    name="storage-not-uniform",
    summary="4-bit weights stored as bytes under FSDP1",
    severity=Severity.ERROR,
    confidence=Confidence.MEDIUM,
    frameworks={"trl": ">=0.26"},
    when={"trl:load_in_4bit": True, "fact:engine": "fsdp"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/utils.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/utils.py",
            "get_quantization_config hands bnb_4bit_quant_storage on, which is null by default; 0.19 handed on the type of the model.",
        ),
        Evidence(
            "PEFT documentation: fully sharded data parallel",
            "https://huggingface.co/docs/peft/accelerate/fsdp",
            "The storage type of quantized weights must be that of the other parameters.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("trl:load_in_4bit") is not True or run.text("fact:engine") != "fsdp":
        return
    if not reads_model_arguments(run, "load_in_4bit"):
        return
    storage = run.text(_STORAGE)
    if storage in (None, "uint8"):
        yield run.finding(
            f"4-bit weights are stored as {storage or 'uint8'}: FSDP1 cannot flatten them with weights of another type",
            ("trl:load_in_4bit", "4 bits"),
            ("fact:engine", "FSDP1"),
            _STORAGE,
            changes=(SetOption("trl", "bnb_4bit_quant_storage", "bfloat16", safe=True),),
        )
