"""LoRA under ZeRO-3 with the one DeepSpeed release that stops at the first step.

## What it checks
ZeRO stage 3 in bf16 with a LoRA adapter under DeepSpeed 0.19.2, where the trainer lets PEFT keep the adapter in fp32:
OpenRLHF, TRL before 1.7, and scripts that make a `LoraConfig` themselves.

## Why it matters
That release gathers all persistent parameters into buffers of the first one's type. The base is bf16 and the adapter is
fp32, so that the first optimizer step ends in a TypeError about the types of output and input tensors.

## Example
    trl grpo --use_peft --deepspeed zero3.json --bf16 true      with deepspeed 0.19.2

## Instead
    pip install 'deepspeed>=0.19.3'

## Fix safety
None is offered: the remedy is another release.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.versions import satisfies


@rule(
    id="DS011",
    name="zero3-lora-types",
    summary="ZeRO-3 with a LoRA adapter under DeepSpeed 0.19.2",
    severity=Severity.ERROR,
    frameworks={"deepspeed": "==0.19.2"},
    when={"fact:zero_stage": 3, "fact:lora_rank": above(0)},
    evidence=(
        Evidence(
            "deepspeedai/DeepSpeed#8072",
            "https://github.com/deepspeedai/DeepSpeed/issues/8072",
            "Regression in 0.19.2 only: with a bf16 base and fp32 adapters the first step ends in a TypeError.",
        ),
        Evidence(
            "deepspeedai/DeepSpeed#8073",
            "https://github.com/deepspeedai/DeepSpeed/pull/8073",
            "Each buffer gets the type of its own parameter; released in 0.19.3.",
        ),
        Evidence(
            "huggingface/trl#6091",
            "https://github.com/huggingface/trl/pull/6091",
            "From this release on the adapter is kept in the type of the base under ZeRO-3.",
        ),
    ),
    aliases=("N01",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if adapter and base have different types under ZeRO-3."""
    if run.integer("fact:zero_stage") != 3 or not run.number("fact:lora_rank") or run.flag("fact:bf16") is not True:
        return
    trl = run.run.settings.get("trl")
    if trl is not None and satisfies(trl.version.text, ">=1.7"):
        return
    yield run.finding(
        "ZeRO-3 with a LoRA adapter stops at the first step under DeepSpeed 0.19.2: its gather mixes bf16 and fp32 tensors",
        ("fact:zero_stage", "stage 3"),
        ("fact:lora_rank", "adapter, kept in fp32 by PEFT"),
        help="use deepspeed 0.19.3 or later",
    )
