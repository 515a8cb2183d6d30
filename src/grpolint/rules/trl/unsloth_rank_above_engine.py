"""An adapter of a higher rank than Unsloth's engine was made for.

## What it checks
With `fast_inference`, the rank `r` of `get_peft_model` must not be above `max_lora_rank`, which Unsloth rounds up to
the next rank that vLLM allows.

## Why it matters
vLLM refuses the adapter at the first generation.

## Example
    FastLanguageModel.from_pretrained(name, fast_inference=True, max_lora_rank=16)
    FastLanguageModel.get_peft_model(model, r=64)

## Instead
    FastLanguageModel.from_pretrained(name, fast_inference=True, max_lora_rank=64)
    FastLanguageModel.get_peft_model(model, r=64)

## Fix safety
Safe: the engine reserves a little more memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_ALLOWED = (8, 16, 32, 64, 128, 256, 320, 512)


@rule(
    id="TR081",
    name="unsloth-rank-above-engine",
    summary="the rank of get_peft_model above max_lora_rank",
    severity=Severity.ERROR,
    frameworks={"unsloth": ""},
    when={"unsloth:fast_inference": True, "unsloth:max_lora_rank": SET},
    evidence=(
        Evidence(
            "Unsloth: unsloth_zoo/vllm_utils.py, as released in 2026.10.9",
            "https://github.com/unslothai/unsloth-zoo/blob/main/unsloth_zoo/vllm_utils.py",
            "determine_max_lora_rank takes the next allowed rank and load_vllm hands it to vLLM.",
        ),
        Evidence(
            "vLLM: checks of an adapter when it is loaded",
            "https://github.com/vllm-project/vllm/blob/main/vllm/lora/peft_helper.py",
            "An adapter whose rank is above max_lora_rank raises ValueError.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with both numbers."""
    if run.flag("unsloth:fast_inference") is not True:
        return
    limit, rank = run.integer("unsloth:max_lora_rank"), run.integer("fact:lora_rank")
    if limit is None or rank is None:
        return
    effective = next((each for each in _ALLOWED if each >= limit), limit)
    if rank > effective:
        yield run.finding(
            f"the adapter has rank {rank}, and the engine is made for {effective}: vLLM refuses it",
            ("fact:lora_rank", f"rank {rank}"),
            ("unsloth:max_lora_rank", f"up to {effective}"),
            changes=(SetOption("unsloth", "max_lora_rank", rank, safe=True),),
        )
