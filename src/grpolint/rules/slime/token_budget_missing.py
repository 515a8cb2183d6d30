"""Micro batches packed by tokens without a budget.

## What it checks
`--use-dynamic-batch-size` without `--max-tokens-per-gpu`.

## Why it matters
slime stops with an assertion before anything is started.

## Example
    python3 train.py --use-dynamic-batch-size

## Instead
    python3 train.py --use-dynamic-batch-size --max-tokens-per-gpu 9216

## Fix safety
None is offered: how many tokens fit depends on model and device.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import absent, on, together
from grpolint.rules.slime._options import unless_lost


@rule(
    id="SL007",
    name="token-budget-missing",
    summary="use-dynamic-batch-size without max-tokens-per-gpu",
    severity=Severity.ERROR,
    frameworks={"slime": ">=0.2"},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/utils/arguments.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/utils/arguments.py",
            "slime_validate_args asserts that the budget is given.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the budget is missing."""
    unless_lost(run)
    yield from together(
        run,
        "use-dynamic-batch-size packs micro batches up to max-tokens-per-gpu, which is not given",
        on("slime:use_dynamic_batch_size", "packs by tokens"),
        absent("slime:max_tokens_per_gpu"),
        help="give --max-tokens-per-gpu: at least the longest prompt plus response, divided by the context-parallel ranks",
    )
