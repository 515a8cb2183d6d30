"""A batch size that shrinks by itself under groups.

## What it checks
`auto_find_batch_size` with GRPO or RLOO, which TRL refuses since 1.9.

## Why it matters
The batch would no longer hold whole groups after it was halved; before 1.9 that broke the run at the first shortage
of memory.

## Example
    GRPOConfig(auto_find_batch_size=True)

## Instead
    GRPOConfig(per_device_train_batch_size=4)

## Fix safety
Safe: it only lets the run get past the error.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.relations import on, together


@rule(
    id="TR005",
    name="automatic-batch-size",
    summary="auto_find_batch_size with GRPO or RLOO",
    severity=Severity.ERROR,
    frameworks={"trl": ">=1.9"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "GRPOConfig.__post_init__ raises ValueError, and so does RLOOConfig; first released in 1.9.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("fact:group_relative") is not True:
        raise NotApplicable
    yield from together(
        run,
        "auto_find_batch_size breaks the groups of GRPO and RLOO: TRL refuses it",
        on("transformers:auto_find_batch_size", "shrinks the batch"),
        changes=(SetOption("transformers", "auto_find_batch_size", value=False, safe=True),),
    )
