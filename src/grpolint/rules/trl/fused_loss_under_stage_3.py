"""A fused loss that finds an empty head under ZeRO-3.

## What it checks
`use_liger_kernel` (`use_liger_loss` before 0.28) in GRPO under ZeRO stage 3 with TRL 0.19 to 1.5, for a model whose
head is not tied to its embedding.

## Why it matters
The loss multiplies by the weight of the head itself, of which a process holds nothing but its shard: the shapes do
not match. With tied embeddings the weight is still gathered.

## Example
    GRPOConfig(use_liger_kernel=True, deepspeed="zero3.json")      with TRL 1.5

## Instead
    GRPOConfig(deepspeed="zero3.json")      with TRL 1.5, or TRL 1.6

## Fix safety
Unsafe: without it the loss needs more memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.versions import satisfies


@rule(
    id="TR051",
    name="fused-loss-under-stage-3",
    summary="the Liger loss of GRPO under ZeRO-3 before TRL 1.6",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.19,<1.6"},
    when={"trl:use_liger_loss|transformers:use_liger_kernel": True, "fact:zero_stage": 3},
    evidence=(
        Evidence(
            "trl 1.6.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.6.0/trl/trainer/grpo_trainer.py",
            "compute_liger_loss gathers the weight of the head under ZeRO-3; 1.5.1 and 0.19.1 hand it to the loss as it is.",
        ),
        Evidence(
            "huggingface/trl#5891",
            "https://github.com/huggingface/trl/pull/5891",
            "Fixes the Liger loss of GRPO under ZeRO-3.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    version = run.run.settings["trl"].version.text
    key = "trl:use_liger_loss" if satisfies(version, "<0.28") else "transformers:use_liger_kernel"
    if run.text("fact:trainer_kind") != "grpo" or run.flag(key) is not True or run.integer("fact:zero_stage") != 3:
        return
    if run.require("fact:tied_embeddings") is False:
        yield run.finding(
            f"the Liger loss of TRL {version} reads lm_head without gathering it: under ZeRO-3 it finds an empty weight",
            (key, "the fused loss"),
            ("fact:zero_stage", "ZeRO-3"),
            ("fact:model", "a head of its own"),
            help="use TRL 1.6 or later, ZeRO-2, or leave the Liger loss off",
        )
