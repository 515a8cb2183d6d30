"""FSDP1.

## What it checks
Where FSDP shards the trainer it is FSDP1. N06 repeats it.

## Why it matters
The handbook: only FSDP1 is proven to be safe for GRPO.

## Example
    {"fsdp_mode": "fsdp2"}

## Instead
    {"fsdp_mode": "fsdp1"}

## Fix safety
No fix: the other version has other options and another format of checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import fsdp_version
from grpolint.rules.handbook._stated import stated


@stated("D06", "fsdp1-only", "FSDP in its first version")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for FSDP2."""
    version = fsdp_version(run)
    if version != 1:
        yield run.finding(
            f"FSDP{version}; the handbook wants FSDP1", ("fact:fsdp_version", f"FSDP{version}"), help="shard with FSDP1"
        )
