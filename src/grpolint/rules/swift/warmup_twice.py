"""The warm-up is given as a share and as a number of steps.

## What it checks
warmup_ratio above 0 together with warmup_steps above 0, or a warmup_ratio of 1 or more.

## Why it matters
Since 4.5 the run is refused, because releases of Transformers disagree on which of the two counts.

## Example
    swift sft --warmup_ratio 0.05 --warmup_steps 100

## Instead
    swift sft --warmup_ratio 0.05

## Fix safety
Unsafe: the learning rate of the first steps changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="SW017",
    name="swift-warmup-twice",
    summary="warmup_ratio and warmup_steps of ms-swift are both set",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=4.5"},
    when={"ms-swift:warmup_ratio": SET},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/trainers/arguments.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/trainers/arguments.py",
            "_handle_hf_removed_args raises ValueError for both, and for a ratio of 1 or more; older releases take one of the two.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    ratio = run.number("ms-swift:warmup_ratio")
    if not ratio:
        return
    if ratio >= 1:
        place = ("ms-swift:warmup_ratio", "a share of all steps")
        yield run.finding(f"warmup_ratio {ratio} is not below 1", place, help="give steps with warmup_steps")
    elif run.number("transformers:warmup_steps"):
        yield run.finding(
            f"warmup_ratio {ratio} and warmup_steps {run.number('transformers:warmup_steps')} are both set",
            "ms-swift:warmup_ratio",
            "transformers:warmup_steps",
            changes=(RemoveOption("transformers", "warmup_steps"),),
        )
