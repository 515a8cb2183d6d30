"""No synchronisation of all parameters.

## What it checks
All parameters are not sent to the rollout engine: an adapter is trained, and it alone is sent. D19 says the same.

## Why it matters
The handbook: the adapter is enough.

## Example
    {"lora_rank": 0, "bypass_mode": true}

## Instead
    {"lora_rank": 32, "bypass_mode": true}

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._lora import adapter_sync
from grpolint.rules.handbook._stated import stated


@stated("N09", "no-full-parameter-sync", "no synchronisation of all parameters")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where they are sent."""
    yield from adapter_sync(run)
