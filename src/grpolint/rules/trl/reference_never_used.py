"""A reference model to synchronise where there is none.

## What it checks
`sync_ref_model` while `beta` is 0 (its default since 0.19), or while a LoRA adapter is trained.

## Why it matters
Without a KL term TRL loads no reference model, and with an adapter it takes the base model for it: there is nothing
to synchronise, and TRL refuses since 0.28.

## Example
    GRPOConfig(sync_ref_model=True)

## Instead
    GRPOConfig(sync_ref_model=True, beta=0.04)

## Fix safety
None is offered: whether there is to be a KL term is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Condition, minimum, on, together

_SYNC = "trl:sync_ref_model"


@rule(
    id="TR007",
    name="reference-never-used",
    summary="sync_ref_model without a reference model",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.28"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_trainer.py",
            "GRPOTrainer raises ValueError for beta 0 and NotImplementedError for a PEFT model; first "
            "released in 0.28.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each reason why there is no reference model."""
    if run.flag(_SYNC) is not True:
        return
    yield from together(
        run,
        "sync_ref_model has no reference model to synchronise: beta is 0",
        on(_SYNC, "synchronise"),
        Condition("trl:beta", lambda run, ref: run.number(ref) == 0, "no KL term"),
        help="set beta above 0, or leave sync_ref_model off",
    )
    yield from together(
        run,
        "sync_ref_model does not work with an adapter: the base model is the reference",
        on(_SYNC, "synchronise"),
        minimum("fact:lora_rank", 1, "adapter"),
        help="leave sync_ref_model off, or train the whole model",
    )
