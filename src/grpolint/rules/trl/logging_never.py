"""Logs every zero steps.

## What it checks
`logging_steps` 0 with the strategy `steps`, the default.

## Why it matters
TrainingArguments refuses it. Whoever wants no logs says `logging_strategy="no"`.

## Example
    GRPOConfig(logging_steps=0)

## Instead
    GRPOConfig(logging_strategy="no")

## Fix safety
Safe: logs do not change training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="TR061",
    name="logging-interval-zero",
    summary="logging_steps 0",
    severity=Severity.ERROR,
    frameworks={"transformers": ">=4.46"},
    when={"transformers:logging_steps": 0},
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
    if (
        run.number("transformers:logging_steps") == 0
        and (run.text("transformers:logging_strategy") or "steps") == "steps"
    ):
        yield run.finding(
            "logging_steps is 0: TrainingArguments refuses it",
            ("transformers:logging_steps", "never"),
            changes=(SetOption("transformers", "logging_steps", 1, safe=True),),
        )
