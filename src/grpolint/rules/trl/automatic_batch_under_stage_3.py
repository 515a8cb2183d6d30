"""A batch size that shrinks by itself under ZeRO-3.

## What it checks
`auto_find_batch_size` under ZeRO stage 3.

## Why it matters
The Trainer refuses it after the model has been loaded.

## Example
    SFTConfig(auto_find_batch_size=True, deepspeed="zero3.json")

## Instead
    SFTConfig(per_device_train_batch_size=4, deepspeed="zero3.json")

## Fix safety
Safe: it only lets the run get past the error.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.relations import equals, on, together


@rule(
    id="TR067",
    name="automatic-batch-under-stage-3",
    summary="auto_find_batch_size with ZeRO stage 3",
    severity=Severity.ERROR,
    frameworks={"transformers": ">=4.46"},
    when={"transformers:auto_find_batch_size": True, "fact:zero_stage": 3},
    evidence=(
        Evidence(
            "transformers 5.24.0: transformers/trainer.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/trainer.py",
            "Raises ValueError; 4.51 does the same.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("fact:group_relative") is True:
        raise NotApplicable  # refused by TRL already
    yield from together(
        run,
        "auto_find_batch_size does not work with ZeRO-3: the Trainer refuses it",
        on("transformers:auto_find_batch_size", "shrinks the batch"),
        equals("fact:zero_stage", 3, label="ZeRO-3"),
        changes=(SetOption("transformers", "auto_find_batch_size", value=False, safe=True),),
    )
