"""Batches fetched ahead by workers that there are not.

## What it checks
`dataloader_prefetch_factor` is set while `dataloader_num_workers` is 0, its default.

## Why it matters
TrainingArguments refuses it.

## Example
    SFTConfig(dataloader_prefetch_factor=2)

## Instead
    SFTConfig(dataloader_prefetch_factor=2, dataloader_num_workers=4)

## Fix safety
Safe: workers load the same batches.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Condition, equals, together


@rule(
    id="TR060",
    name="prefetch-without-workers",
    summary="dataloader_prefetch_factor without dataloader_num_workers",
    severity=Severity.ERROR,
    frameworks={"transformers": ">=4.46"},
    when={"transformers:dataloader_prefetch_factor": SET},
    evidence=(
        Evidence(
            "transformers 5.24.0: transformers/training_args.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/training_args.py",
            "Raises ValueError; so does 4.46.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if not run.is_set("transformers:dataloader_prefetch_factor"):
        return
    if run.known("transformers:dataloader_prefetch_factor") is not None:
        yield from together(
            run,
            "dataloader_prefetch_factor is set and dataloader_num_workers is 0: TrainingArguments refuses it",
            Condition("transformers:dataloader_prefetch_factor", lambda *_: True, "fetched ahead"),
            equals("transformers:dataloader_num_workers", 0),
            changes=(SetOption("transformers", "dataloader_num_workers", 4, safe=True),),
        )
