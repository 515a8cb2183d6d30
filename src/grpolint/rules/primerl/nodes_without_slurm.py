"""A deployment over several nodes without SLURM.

## What it checks
`deployment.type = "multi_node"` in a configuration without the section `slurm`.

## Why it matters
prime-rl starts several nodes through SLURM only, and raises ValueError.

## Example
    [deployment]
    type = "multi_node"
    num_train_nodes = 2

## Instead
    [deployment]
    type = "multi_node"
    num_train_nodes = 2

    [slurm]
    job_name = "rl"

## Fix safety
Unsafe: the cluster is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="PI004",
    name="nodes-without-slurm",
    summary="a deployment over several nodes without SLURM",
    severity=Severity.ERROR,
    frameworks={"prime-rl": ">=0.5"},
    when={"prime-rl:deployment.type": "multi_node"},
    evidence=(
        Evidence(
            "prime-rl 0.8.0: packages/prime-rl-configs/src/prime_rl/configs/rl.py",
            "https://github.com/PrimeIntellect-ai/prime-rl/blob/v0.8.0/packages/prime-rl-configs/src/prime_rl/configs/rl.py",
            "validate_deployment raises ValueError without slurm.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if nothing sets slurm."""
    settings = run.run.settings["prime-rl"]
    if run.text("prime-rl:deployment.type") != "multi_node" or run.run.launch is None:
        return  # a file may be one of several
    if settings.get("slurm") is not None or next(settings.under("slurm"), None) is not None:
        return
    run.known("prime-rl:slurm")
    yield run.finding(
        "a deployment over several nodes needs the section slurm, which nothing sets",
        ("prime-rl:deployment.type", "several nodes"),
        help="add a section [slurm], or start the parts of the run by themselves",
    )
