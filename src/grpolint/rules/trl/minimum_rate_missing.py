"""A schedule down to a rate that is not given.

## What it checks
`lr_scheduler_type` cosine_with_min_lr or cosine_warmup_with_min_lr without `min_lr` or `min_lr_rate` in
`lr_scheduler_kwargs`.

## Why it matters
The scheduler raises ValueError when training starts.

## Example
    lr_scheduler_type: cosine_with_min_lr

## Instead
    lr_scheduler_type: cosine_with_min_lr
    lr_scheduler_kwargs: {min_lr_rate: 0.1}

## Fix safety
None is offered: the minimum is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_KINDS = ("cosine_with_min_lr", "cosine_warmup_with_min_lr")
_GIVEN = "lr_scheduler_kwargs"


@rule(
    id="TR063",
    name="minimum-rate-missing",
    summary="cosine_with_min_lr without its minimum",
    severity=Severity.ERROR,
    frameworks={"transformers": ">=4.46"},
    when={"transformers:lr_scheduler_type": ("cosine_with_min_lr", "cosine_warmup_with_min_lr")},
    evidence=(
        Evidence(
            "transformers 5.24.0: transformers/optimization.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/optimization.py",
            "get_cosine_with_min_lr_schedule_with_warmup raises ValueError unless one of the two is given.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if neither is given."""
    kind = run.text("transformers:lr_scheduler_type")
    if kind not in _KINDS:
        return
    given = run.known(f"transformers:{_GIVEN}")
    names = [key for key in ("min_lr", "min_lr_rate") if run.known(f"transformers:{_GIVEN}.{key}") is not None]
    if names or isinstance(given, str) or (isinstance(given, dict) and {"min_lr", "min_lr_rate"} & set(given)):
        return
    yield run.finding(
        f"lr_scheduler_type {kind} wants min_lr or min_lr_rate in lr_scheduler_kwargs",
        ("transformers:lr_scheduler_type", "down to which rate?"),
        help="give lr_scheduler_kwargs={'min_lr_rate': 0.1}",
    )
