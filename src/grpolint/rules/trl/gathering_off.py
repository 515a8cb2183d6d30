"""Generation that gathers every layer for every token.

## What it checks
`ds3_gather_for_generation` is off under ZeRO stage 3 while Transformers generates.

## Why it matters
Each token gathers all parameters again: the first step takes hours and looks like a hang. The option is for models
that do not fit one device.

## Example
    GRPOConfig(deepspeed="zero3.json", ds3_gather_for_generation=False)

## Instead
    GRPOConfig(deepspeed="zero3.json", use_vllm=True)

## Fix safety
Unsafe: the gathered model must fit on a device.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.relations import equals, off, together


@rule(
    id="TR037",
    name="gathering-off",
    summary="ds3_gather_for_generation off under ZeRO-3",
    severity=Severity.WARNING,
    frameworks={"trl": ">=0.15"},
    when={"trl:ds3_gather_for_generation": False},
    evidence=(
        Evidence(
            "huggingface/trl#3858",
            "https://github.com/huggingface/trl/issues/3858",
            "Step 0 is still there after an hour and ends after about ten.",
        ),
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "The help says that it makes generation slower and is not for vLLM.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("fact:group_relative") is not True:
        raise NotApplicable
    yield from together(
        run,
        "ds3_gather_for_generation is off: under ZeRO-3 every generated token gathers all parameters again",
        off("trl:ds3_gather_for_generation", "not gathered"),
        off("trl:use_vllm"),
        equals("fact:zero_stage", 3, label="ZeRO-3"),
        help="leave it on, or generate with vLLM",
        changes=(SetOption("trl", "ds3_gather_for_generation", value=True),),
    )
