"""Weights that are quantized already, sharded by ZeRO-3 or FSDP in LLaMA-Factory.

## What it checks
The model's own weights are quantized (GPTQ, AWQ, AQLM, 4 bits of bitsandbytes ...; before 0.9.4 in FP8 or MXFP4 too) and
training uses ZeRO stage 3 or FSDP.

## Why it matters
Packed weights cannot be partitioned: LLaMA-Factory raises ValueError when it configures the quantization.

## Example
    model_name_or_path: Qwen/Qwen2.5-32B-Instruct-AWQ
    deepspeed: examples/deepspeed/ds_z3_config.json

## Instead
    model_name_or_path: Qwen/Qwen2.5-32B-Instruct
    deepspeed: examples/deepspeed/ds_z3_config.json

## Fix safety
None is offered: another model, or another way to share the memory, is for the author to choose.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.versions import satisfies

_NAMES_OF_PACKED = ("gptq", "awq", "aqlm", "bnb-4bit", "int4", "int8", "4bit", "8bit")


@rule(
    id="LF150",
    name="packed-weights-sharded",
    summary="a model with quantized weights under ZeRO stage 3 or FSDP in LLaMA-Factory",
    severity=Severity.ERROR,
    frameworks={"llamafactory": ">=0.9"},
    when={"fact:quantized_weights": True},
    evidence=(
        Evidence(
            "llamafactory 0.9.4: llamafactory/model/model_utils/quantization.py",
            "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.4/src/llamafactory/model/model_utils/quantization.py",
            "Raises ValueError for a model with a quantization_config under ZeRO-3 or FSDP; 0.9.3 makes no exception, 0.9.4 takes"
            " FP8 and MXFP4, which it dequantizes.",
        ),
        Evidence(
            "hiyouga/LlamaFactory#6898",
            "https://github.com/hiyouga/LlamaFactory/issues/6898",
            "DeepSeek-R1, whose weights are FP8, with ZeRO-3 ends in that error.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if packed weights would be sharded."""
    if run.known("fact:quantized_weights") is not True:
        return
    stage = run.integer("fact:zero_stage")
    if stage != 3 and run.text("fact:engine") not in ("fsdp", "fsdp2"):
        return
    name = str(run.text("llamafactory:model_name_or_path"))
    packed = any(word in name.lower() for word in _NAMES_OF_PACKED)
    if not packed and not satisfies(run.run.settings["llamafactory"].version.text, "<0.9.4"):
        return
    sharded = "ZeRO stage 3" if stage == 3 else "FSDP"
    yield run.finding(
        f"the weights of {name} are quantized, and LLaMA-Factory refuses to shard them with {sharded}",
        ("llamafactory:model_name_or_path", "quantized weights"),
        ("fact:zero_stage" if stage == 3 else "fact:engine", sharded),
        help="train the model of 16 bits, or share it with ZeRO stage 2",
    )
