"""A learning rate that waits for evaluations.

## What it checks
`lr_scheduler_type` reduce_lr_on_plateau (or greedy) without an `eval_strategy`.

## Why it matters
TrainingArguments refuses it.

## Example
    SFTConfig(lr_scheduler_type="reduce_lr_on_plateau")

## Instead
    SFTConfig(lr_scheduler_type="reduce_lr_on_plateau", eval_strategy="steps")

## Fix safety
None is offered: what to evaluate on is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="TR062",
    name="plateau-without-evaluation",
    summary="a scheduler that needs evaluations, without any",
    severity=Severity.ERROR,
    frameworks={"transformers": ">=4.46"},
    when={"transformers:lr_scheduler_type": ("reduce_lr_on_plateau", "greedy")},
    evidence=(
        Evidence(
            "transformers 5.24.0: transformers/training_args.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/training_args.py",
            "Raises ValueError for both; 4.46 does for the first.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    kind = run.text("transformers:lr_scheduler_type") or ""
    if kind in ("reduce_lr_on_plateau", "greedy") and (run.text("transformers:eval_strategy") or "no").lower() == "no":
        yield run.finding(
            f"lr_scheduler_type {kind} needs an evaluation: TrainingArguments refuses it without eval_strategy",
            ("transformers:lr_scheduler_type", "waits for evaluations"),
            "transformers:eval_strategy",
            help="set eval_strategy, or take another scheduler",
        )
