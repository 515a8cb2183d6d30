"""An adapter with weights that are broadcast through memory.

## What it checks
`trainer.model.lora` with `weight_broadcast.type` (or the trainer's own) nccl, since 0.8 also nixl.

## Why it matters
Adapters reach the engine through the file system only; prime-rl raises ValueError.

## Example
    [trainer.model.lora]
    rank = 16

    [weight_broadcast]
    type = "nccl"

## Instead
    [trainer.model.lora]
    rank = 16

    [weight_broadcast]
    type = "filesystem"

## Fix safety
Safe: the run does not start otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="PI005",
    name="adapter-over-memory",
    summary="an adapter with weights that are broadcast through memory",
    severity=Severity.ERROR,
    frameworks={"prime-rl": ">=0.5"},
    evidence=(
        Evidence(
            "prime-rl 0.8.0: packages/prime-rl-configs/src/prime_rl/configs/trainer.py",
            "https://github.com/PrimeIntellect-ai/prime-rl/blob/v0.8.0/packages/prime-rl-configs/src/prime_rl/configs/trainer.py",
            "validate_lora_broadcast raises ValueError.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the adapter cannot be broadcast."""
    settings = run.run.settings["prime-rl"]
    lora = settings.get("trainer.model.lora") or next(settings.under("trainer.model.lora"), None)
    if lora is None:
        return
    for key in ("weight_broadcast.type", "trainer.weight_broadcast.type"):
        kind = run.text(f"prime-rl:{key}")
        if kind in ("nccl", "nixl"):
            yield run.finding(
                f"weight_broadcast.type {kind} carries no adapter: prime-rl refuses it with trainer.model.lora",
                (f"prime-rl:{key}", f"through {kind}"),
                (f"prime-rl:{lora.key}", "an adapter is trained"),
                changes=(SetOption("prime-rl", key, "filesystem", safe=True),),
            )
