"""Prompts of GRPO cut on a side that ms-swift refuses.

## What it checks
truncation_strategy of a GRPO run: left or delete are taken; before 3.7 only left.

## Why it matters
The run ends before training. A prompt that is cut on the right would lose the question.

## Example
    swift rlhf --rlhf_type grpo --truncation_strategy right

## Instead
    swift rlhf --rlhf_type grpo --truncation_strategy left

## Fix safety
Unsafe: other prompts are seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.versions import satisfies


@rule(
    id="SW009",
    name="truncation-refused",
    summary="a truncation strategy that GRPO of ms-swift refuses",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=3.3"},
    when={"ms-swift:truncation_strategy": SET, "fact:group_relative": True},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/arguments/rlhf_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/arguments/rlhf_args.py",
            "_init_grpo raises ValueError unless the strategy is left or delete; up to 3.6 only left was taken.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("fact:group_relative") is not True:
        return
    allowed = ("left",) if satisfies(run.run.settings["ms-swift"].version.text, "<3.7") else ("left", "delete")
    strategy = run.text("ms-swift:truncation_strategy")
    if strategy is not None and strategy not in allowed:
        yield run.finding(
            f"truncation_strategy {strategy} is refused with GRPO: {' or '.join(allowed)}",
            "ms-swift:truncation_strategy",
            changes=(SetOption("ms-swift", "truncation_strategy", "left"),),
        )
