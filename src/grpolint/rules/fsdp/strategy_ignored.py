"""A sharding strategy that FSDP2 does not have.

## What it checks
accelerate's `fsdp_sharding_strategy` is SHARD_GRAD_OP, NO_SHARD or a hybrid one while FSDP2 runs.

## Why it matters
FSDP2 does not read it: parameters are sharded over all processes and gathered again in the backward pass. What
SHARD_GRAD_OP did is `fsdp_reshard_after_forward: false`; hybrid sharding is a matter of `parallelism_config`.

## Example
    fsdp_config: {fsdp_version: 2, fsdp_sharding_strategy: SHARD_GRAD_OP}

## Instead
    fsdp_config: {fsdp_version: 2, fsdp_reshard_after_forward: false}

## Fix safety
Unsafe: it changes memory and speed.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_KEY = "accelerate:fsdp_sharding_strategy"


@rule(
    id="FS065",
    name="sharding-strategy-ignored",
    summary="fsdp_sharding_strategy other than FULL_SHARD with FSDP2",
    severity=Severity.WARNING,
    frameworks={"accelerate": ">=1.6"},
    when={"accelerate:fsdp_sharding_strategy": SET, "fact:engine": "fsdp2"},
    evidence=(
        Evidence(
            "accelerate 1.15.0: accelerate/utils/dataclasses.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/utils/dataclasses.py",
            "FullyShardedDataParallelPlugin reads the strategy only for version 1; the same since 1.6.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the strategy."""
    if not run.is_set(_KEY) or run.text("fact:engine") != "fsdp2":
        return
    strategy = (run.text(_KEY) or "FULL_SHARD").upper()
    if strategy in ("FULL_SHARD", "1", "NONE", "NULL"):
        return
    kept = strategy in ("SHARD_GRAD_OP", "2")
    yield run.finding(
        f"fsdp_sharding_strategy {strategy} is not read by FSDP2: parameters are fully sharded",
        (_KEY, "of FSDP1"),
        ("fact:engine", "FSDP2"),
        help="" if kept else "say it in parallelism_config, or use fsdp_version 1",
        changes=(SetOption("accelerate", "fsdp_reshard_after_forward", value=False),) if kept else (),
    )
