"""Columns of the data set that rewards never see.

## What it checks
`remove_unused_columns` is on in GRPO or RLOO, where it is off by default.

## Why it matters
The trainer keeps the prompts and images alone. Answers, solutions and other columns never reach the reward functions,
which fail for want of them or judge without them.

## Example
    GRPOConfig(remove_unused_columns=True)

## Instead
    GRPOConfig(remove_unused_columns=False)

## Fix safety
Unsafe: rewards see more than before.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.relations import on, together


@rule(
    id="TR066",
    name="reward-columns-removed",
    summary="remove_unused_columns with GRPO or RLOO",
    severity=Severity.WARNING,
    frameworks={"trl": ">=0.14"},
    when={"transformers:remove_unused_columns": True},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_trainer.py",
            "_set_signature_columns_if_needed names the prompt and the images only; 0.14 names the prompt.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("fact:group_relative") is not True:
        raise NotApplicable
    yield from together(
        run,
        "remove_unused_columns drops all columns but the prompts: reward functions see no answers",
        on("transformers:remove_unused_columns", "drops them"),
        changes=(SetOption("transformers", "remove_unused_columns", value=False),),
    )
