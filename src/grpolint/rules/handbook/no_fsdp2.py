"""No FSDP2.

## What it checks
FSDP2 does not shard the trainer. D06 says the same.

## Why it matters
The handbook calls it a blocker: memory of the host leaks, memory of the card runs out.

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


@stated("N06", "no-fsdp2", "no FSDP2")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for FSDP2."""
    if fsdp_version(run) == 2:
        yield run.finding(
            "FSDP2 shards the trainer; the handbook forbids it", ("fact:fsdp_version", "FSDP2"), help="shard with FSDP1"
        )
