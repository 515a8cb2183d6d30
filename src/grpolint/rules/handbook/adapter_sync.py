"""Synchronisation of the adapter alone.

## What it checks
A LoRA adapter is trained, and it alone is sent to the rollout engine. Where nothing tells what is sent, bypass mode
does in a flat configuration: the handbook calls both by one name. N09 repeats it, D08 asks for the rank.

## Why it matters
The handbook: the difference is small, the model is not.

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


@stated("D19", "adapter-sync", "only the adapter reaches the rollout engine")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where all parameters are sent."""
    yield from adapter_sync(run)
