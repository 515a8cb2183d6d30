"""A batch counted in rollouts and in tokens.

## What it checks
`orchestrator.batch_size` and `orchestrator.token_batch_size` are both set.

## Why it matters
prime-rl raises ValueError: a step has one size.

## Example
    [orchestrator]
    batch_size = 128
    token_batch_size = 262144

## Instead
    [orchestrator]
    batch_size = 128

## Fix safety
Unsafe: which of the two is meant is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="PI003",
    name="two-batch-sizes",
    summary="a batch counted in rollouts and in tokens",
    severity=Severity.ERROR,
    frameworks={"prime-rl": ">=0.5"},
    when={"prime-rl:orchestrator.batch_size": SET, "prime-rl:orchestrator.token_batch_size": SET},
    evidence=(
        Evidence(
            "prime-rl 0.8.0: packages/prime-rl-configs/src/prime_rl/configs/orchestrator.py",
            "https://github.com/PrimeIntellect-ai/prime-rl/blob/v0.8.0/packages/prime-rl-configs/src/prime_rl/configs/orchestrator.py",
            "resolve_batching raises ValueError where both are set.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if both are set."""
    samples = run.integer("prime-rl:orchestrator.batch_size")
    tokens = run.integer("prime-rl:orchestrator.token_batch_size")
    if samples is None or tokens is None:
        return
    yield run.finding(
        f"batch_size {samples} and token_batch_size {tokens} are both set: prime-rl takes one of them",
        ("prime-rl:orchestrator.token_batch_size", "tokens of a step"),
        ("prime-rl:orchestrator.batch_size", "rollouts of a step"),
        help="keep the one that is meant",
    )
