"""A batch that is no multiple of the group size.

## What it checks
`orchestrator.batch_size`, which counts rollouts, must be a multiple of `orchestrator.group_size`
(`rollouts_per_example` before 0.6). Both are looked at only where they are written.

## Why it matters
prime-rl raises ValueError while it validates the configuration.

## Example
    [orchestrator]
    batch_size = 100
    group_size = 16

## Instead
    [orchestrator]
    batch_size = 96
    group_size = 16

## Fix safety
Unsafe: another batch size changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, above, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="PI001",
    name="batch-without-whole-groups",
    summary="a batch that is no multiple of the group size",
    severity=Severity.ERROR,
    frameworks={"prime-rl": ">=0.5"},
    when={"prime-rl:orchestrator.batch_size": SET, "fact:group_size": above(1)},
    evidence=(
        Evidence(
            "prime-rl 0.8.0: packages/prime-rl-configs/src/prime_rl/configs/orchestrator.py",
            "https://github.com/PrimeIntellect-ai/prime-rl/blob/v0.8.0/packages/prime-rl-configs/src/prime_rl/configs/orchestrator.py",
            "resolve_batching raises ValueError for a remainder.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if rollouts are left over."""
    whole = Size.of(run, Term("prime-rl:orchestrator.batch_size", "batch_size", "rollouts of a step"))
    part = Size.of(run, Term("fact:group_size", "group_size", "rollouts of an example"))
    yield from multiple(run, whole, part, "prime-rl refuses a batch without whole groups")
