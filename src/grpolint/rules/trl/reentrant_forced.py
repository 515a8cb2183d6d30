"""Checkpointing that TRL makes reentrant again.

## What it checks
`gradient_checkpointing_kwargs.use_reentrant` is off while an adapter is trained under ZeRO stage 3.

## Why it matters
TRL 1.9 and later switches it on: non-reentrant checkpointing finds other shapes in the backward pass there.

## Example
    gradient_checkpointing_kwargs: {use_reentrant: false}      with use_peft and ZeRO-3

## Instead
    gradient_checkpointing_kwargs: {use_reentrant: true}

## Fix safety
Safe: it says what TRL does anyway.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import equals, minimum, off, on, together

_REENTRANT = "gradient_checkpointing_kwargs.use_reentrant"


@rule(
    id="TR036",
    name="reentrant-forced",
    summary="use_reentrant=False with an adapter under ZeRO-3",
    severity=Severity.INFO,
    frameworks={"trl": ">=1.9"},
    when={"fact:zero_stage": 3, "transformers:gradient_checkpointing_kwargs.use_reentrant": False},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_trainer.py",
            "Warns and forces use_reentrant to true for a PEFT model under ZeRO-3; first released in 1.9.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "TRL changes use_reentrant from false to true: an adapter is trained under ZeRO-3 with gradient checkpointing",
        off(f"transformers:{_REENTRANT}", "asked for"),
        on("transformers:gradient_checkpointing"),
        equals("fact:zero_stage", 3, label="ZeRO-3"),
        minimum("fact:lora_rank", 1, "adapter"),
        changes=(SetOption("transformers", _REENTRANT, value=True, safe=True),),
    )
