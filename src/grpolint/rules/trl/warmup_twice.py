"""Warm-up given in two ways.

## What it checks
`warmup_ratio` and `warmup_steps` above 0 together, with a release of Transformers that has both (before 5.15).

## Why it matters
Only one counts: `warmup_steps` before Transformers 5.0, `warmup_ratio` since.

## Example
    GRPOConfig(warmup_ratio=0.1, warmup_steps=50)

## Instead
    GRPOConfig(warmup_steps=50)

## Fix safety
Safe: the option that goes has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, above, rule
from grpolint.versions import satisfies


@rule(
    id="TR064",
    name="warmup-twice",
    summary="warmup_ratio and warmup_steps are both set",
    severity=Severity.WARNING,
    frameworks={"transformers": ">=4.46,<5.15"},
    when={"transformers:warmup_ratio": SET, "transformers:warmup_steps": above(0)},
    evidence=(
        Evidence(
            "transformers 4.57.6: transformers/training_args.py",
            "https://github.com/huggingface/transformers/blob/v4.57.6/src/transformers/training_args.py",
            "Says that warmup_steps overrides any effect of warmup_ratio.",
        ),
        Evidence(
            "transformers 5.0.0: transformers/training_args.py",
            "https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/training_args.py",
            "Puts warmup_ratio into warmup_steps wherever it is not null.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding at the one that is ignored."""
    ratio, steps = run.number("transformers:warmup_ratio"), run.number("transformers:warmup_steps")
    if not run.is_set("transformers:warmup_steps") or not ratio or not steps:
        return
    version = run.run.settings["transformers"].version.text
    ignored, taken = (
        ("warmup_ratio", "warmup_steps") if satisfies(version, "<5.0") else ("warmup_steps", "warmup_ratio")
    )
    yield run.finding(
        f"{ignored} has no effect: Transformers {version} takes {taken} where both are set",
        (f"transformers:{ignored}", "ignored"),
        (f"transformers:{taken}", "counts"),
        changes=(RemoveOption("transformers", ignored, safe=True),),
    )
