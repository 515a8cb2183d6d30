"""A token budget that nothing reads.

## What it checks
`--max-tokens-per-gpu` without `--use-dynamic-batch-size`.

## Why it matters
Micro batches are then counted in samples (`--micro-batch-size`, 1 by default) and the budget is ignored: much slower
than meant, or out of memory on long samples.

## Example
    python3 train.py --max-tokens-per-gpu 9216

## Instead
    python3 train.py --use-dynamic-batch-size --max-tokens-per-gpu 9216

## Fix safety
Unsafe: other samples share a micro batch.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="SL006",
    name="token-budget-ignored",
    summary="max-tokens-per-gpu without use-dynamic-batch-size",
    severity=Severity.WARNING,
    frameworks={"slime": ">=0.2"},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/utils/dp_schedule.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/utils/dp_schedule.py",
            "The budget is read only where use_dynamic_batch_size is set.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the budget is given for nothing."""
    if not run.is_set("slime:max_tokens_per_gpu") or run.flag("slime:use_dynamic_batch_size") is not False:
        return
    budget = run.integer("slime:max_tokens_per_gpu")
    if budget is None:
        return
    yield run.finding(
        f"max-tokens-per-gpu {budget} has no effect without use-dynamic-batch-size: micro batches are counted in samples",
        ("slime:max_tokens_per_gpu", "read by nothing"),
        "megatron:micro_batch_size",
        changes=(SetOption("slime", "use_dynamic_batch_size", True),),
    )
