"""Trainer and inference need more devices than the node has.

## What it checks
`deployment.num_train_gpus + deployment.num_infer_gpus` (1 each where they are not written) against
`deployment.gpus_per_node` (8 where it is not).

## Why it matters
prime-rl raises ValueError while it validates the configuration.

## Example
    [deployment]
    num_train_gpus = 6
    num_infer_gpus = 4

## Instead
    [deployment]
    num_train_gpus = 4
    num_infer_gpus = 4

## Fix safety
Unsafe: how devices should be shared out is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Term


@rule(
    id="PI002",
    name="deployment-exceeds-node",
    summary="trainer and inference need more devices than the node has",
    severity=Severity.ERROR,
    frameworks={"prime-rl": ">=0.5"},
    evidence=(
        Evidence(
            "prime-rl 0.8.0: packages/prime-rl-configs/src/prime_rl/configs/rl.py",
            "https://github.com/PrimeIntellect-ai/prime-rl/blob/v0.8.0/packages/prime-rl-configs/src/prime_rl/configs/rl.py",
            "validate_gpu_count raises ValueError; the defaults are 1, 1 and 8.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the sum if it is too large."""
    if run.text("prime-rl:deployment.type") == "multi_node":
        return
    train = Term("prime-rl:deployment.num_train_gpus", "num_train_gpus", "trainer", 1)
    infer = Term("prime-rl:deployment.num_infer_gpus", "num_infer_gpus", "inference", 1)
    node = Term("prime-rl:deployment.gpus_per_node", "gpus_per_node", "the node", 8)
    wanted, there = [term.value(run) or 0 for term in (train, infer)], node.value(run) or 0
    if sum(wanted) <= there or not any(run.is_set(term.ref) for term in (train, infer)):
        return
    yield run.finding(
        f"num_train_gpus {wanted[0]} + num_infer_gpus {wanted[1]} = {sum(wanted)} > gpus_per_node {there}",
        *(term.place for term in (train, infer, node) if run.is_set(term.ref)),
        help=f"share out {there} devices, or deploy over several nodes",
    )
