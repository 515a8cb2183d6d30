"""Muon with FSDP's CPU offload.

## What it checks
`trainer.optim.type = "muon"` with `trainer.model.fsdp_cpu_offload = true`.

## Why it matters
prime-rl raises ValueError: its Muon does not work on parameters on the host.

## Example
    [trainer.model]
    fsdp_cpu_offload = true

    [trainer.optim]
    type = "muon"

## Instead
    [trainer.model]
    fsdp_cpu_offload = false

    [trainer.optim]
    type = "muon"

## Fix safety
Unsafe: more device memory is taken.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import equals, on, together


@rule(
    id="PI006",
    name="muon-offloaded-by-fsdp",
    summary="Muon with FSDP's CPU offload",
    severity=Severity.ERROR,
    frameworks={"prime-rl": ">=0.5"},
    when={"fact:optimizer": "muon"},
    evidence=(
        Evidence(
            "prime-rl 0.8.0: packages/prime-rl-configs/src/prime_rl/configs/trainer.py",
            "https://github.com/PrimeIntellect-ai/prime-rl/blob/v0.8.0/packages/prime-rl-configs/src/prime_rl/configs/trainer.py",
            "validate_opt_and_fsdp_offload raises ValueError.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if both are set."""
    yield from together(
        run,
        "Muon does not work with fsdp_cpu_offload: prime-rl refuses to start",
        equals("prime-rl:trainer.optim.type", "muon", label="Muon"),
        on("prime-rl:trainer.model.fsdp_cpu_offload", "parameters on the host"),
        help="switch the offload off, or train with adamw",
    )
