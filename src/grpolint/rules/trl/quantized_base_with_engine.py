"""A quantized base model that vLLM is to follow.

## What it checks
The policy is loaded by bitsandbytes in 4 or 8 bits (QLoRA) and vLLM generates. Unsloth, which shares the quantized
weights with vLLM, is another matter.

## Why it matters
TRL hands the packed weights to vLLM as they are: vLLM stops at their shape. In 8 bits the engine in the trainer is
refused at the start.

## Example
    trl grpo --use_peft --load_in_4bit --use_vllm true

## Instead
    trl grpo --use_peft --use_vllm true

## Fix safety
None is offered: a base in 16 bits needs more memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, below, rule


@rule(
    id="TR032",
    name="quantized-base-with-engine",
    summary="a base model in 4 or 8 bits with use_vllm",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.16"},
    when={"trl:use_vllm": True, "fact:base_bits": below(16)},
    evidence=(
        Evidence(
            "huggingface/trl#3654",
            "https://github.com/huggingface/trl/issues/3654",
            "GRPO with a 4-bit base, LoRA and vLLM ends in an AssertionError on the shape in weight_loader.",
        ),
        Evidence(
            "huggingface/trl#4973",
            "https://github.com/huggingface/trl/issues/4973",
            "The same with a server; still open.",
        ),
        Evidence(
            "trl 1.16.0: trl/generation/vllm_generation.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/generation/vllm_generation.py",
            "_iter_named_params yields param.data of the quantized layers; an engine in the trainer raises ValueError for Linear8bitLt.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the number of bits."""
    if run.known("fact:group_relative") is not True or "unsloth" in run.run.settings:
        raise NotApplicable
    if run.flag("trl:use_vllm") is not True:
        return
    bits = run.integer("fact:base_bits")
    if bits in (4, 8):
        yield run.finding(
            f"the base model is held in {bits} bits, and TRL hands its packed weights to vLLM, which stops at their shape",
            ("fact:base_bits", f"{bits} bits"),
            ("trl:use_vllm", "vLLM generates"),
            help="load the base in bfloat16, set use_vllm off, or train with Unsloth",
        )
