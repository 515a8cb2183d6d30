"""Active sampling without rollouts in reserve, or without filtering.

## What it checks
`--active_sampling` needs `--async_steps` above 1 and `--filter_zero_std_samples`.

## Why it matters
What is filtered out is replaced from rollouts that are already on their way; open-instruct asserts both.

## Example
    python open_instruct/grpo_fast.py --active_sampling --async_steps 1

## Instead
    python open_instruct/grpo_fast.py --active_sampling --async_steps 4

## Fix safety
Unsafe: rollouts get older.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="OI002",
    name="active-sampling-without-reserve",
    summary="active sampling without rollouts in reserve, or without filtering",
    severity=Severity.ERROR,
    frameworks={"open-instruct": ">=0.1"},
    when={"open-instruct:active_sampling": True},
    evidence=(
        Evidence(
            "open-instruct 0.3.0: open_instruct/data_loader.py",
            "https://github.com/allenai/open-instruct/blob/v0.3.0/open_instruct/data_loader.py",
            "StreamingDataLoaderConfig asserts both for active_sampling.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each assertion that fails."""
    if not run.flag("open-instruct:active_sampling"):
        return
    steps = run.integer("open-instruct:async_steps")
    if steps is not None and steps <= 1:
        yield run.finding(
            f"active_sampling needs rollouts in reserve, and async_steps is {steps}",
            ("open-instruct:async_steps", "no reserve"),
            ("open-instruct:active_sampling", "replaces what is filtered out"),
            help="set --async_steps to 2 or more",
        )
    if run.flag("open-instruct:filter_zero_std_samples") is False:
        yield run.finding(
            "active_sampling replaces what filter_zero_std_samples leaves out, and that is off",
            ("open-instruct:filter_zero_std_samples", "nothing is filtered"),
            ("open-instruct:active_sampling", "replaces what is filtered out"),
        )
