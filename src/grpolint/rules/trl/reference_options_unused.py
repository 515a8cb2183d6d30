"""How to synchronise a reference model that is not synchronised.

## What it checks
`ref_model_sync_steps` or `ref_model_mixup_alpha` are set while `sync_ref_model` is off.

## Why it matters
The reference stays the initial model for the whole run.

## Example
    GRPOConfig(beta=0.04, ref_model_sync_steps=64)

## Instead
    GRPOConfig(beta=0.04, sync_ref_model=True, ref_model_sync_steps=64)

## Fix safety
Unsafe: it changes the reference.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="TR047",
    name="reference-options-unused",
    summary="ref_model_sync_steps or ref_model_mixup_alpha without sync_ref_model",
    severity=Severity.WARNING,
    frameworks={"trl": ">=0.15"},
    when={"trl:ref_model_sync_steps|trl:ref_model_mixup_alpha": SET, "trl:sync_ref_model": False},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_trainer.py",
            "The callback that reads both is added only if sync_ref_model is on.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding at the first of the two."""
    given = [key for key in ("ref_model_sync_steps", "ref_model_mixup_alpha") if run.is_set(f"trl:{key}")]
    if given and not run.is_set("trl:sync_ref_model") and run.flag("trl:sync_ref_model") is False:
        yield run.finding(
            f"{given[0]} has no effect: sync_ref_model is off and the reference stays the initial model",
            (f"trl:{given[0]}", "ignored"),
            "trl:sync_ref_model",
            changes=(SetOption("trl", "sync_ref_model", value=True),),
        )
