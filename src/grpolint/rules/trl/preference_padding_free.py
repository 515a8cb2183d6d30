"""Padding-free DPO, which is switched off.

## What it checks
`padding_free` in DPO with TRL 0.29 or later.

## Why it matters
The trainer warns, pads as ever, and needs the memory of padded batches.

## Example
    DPOConfig(padding_free=True)

## Instead
    DPOConfig(per_device_train_batch_size=2)

## Fix safety
Safe: the option has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="TR041",
    name="preference-padding-free",
    summary="padding_free in DPO since TRL 0.29",
    severity=Severity.WARNING,
    frameworks={"trl": ">=0.29"},
    when={"trl:padding_free": True},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/dpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/dpo_trainer.py",
            "Warns that it is unavailable and sets it to false; the same since 0.29.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("fact:trainer_kind") == "dpo" and run.flag("trl:padding_free") is True:
        yield run.finding(
            "TRL changes padding_free from true to false in DPO: batches are padded",
            ("trl:padding_free", "switched off"),
            changes=(RemoveOption("trl", "padding_free", safe=True),),
            severity=Severity.INFO if run.run.settings["trl"].version.assumed else None,
        )
