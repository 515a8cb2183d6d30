"""LoRA of rank 32.

## What it checks
The adapter has rank 32. N05 repeats the half about rank 64, D19 judges the "bypass sync" that the handbook asks for
in the same breath.

## Why it matters
The handbook: from rank 64 on the rollout engine never ends a response.

## Example
    {"lora_rank": 64, "use_critic": false}

## Instead
    {"lora_rank": 32, "use_critic": false}

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import number, training
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("D08", "lora-rank-32", "LoRA of rank 32")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for another rank, and for none."""
    training(run)
    rank = number(run, "lora_rank", "LoRA")
    if rank != 32:
        told = f"LoRA rank {rank:g}" if rank else "all parameters are trained, without LoRA"
        yield run.finding(
            f"{told}; the handbook wants LoRA of rank 32",
            ("fact:lora_rank", f"rank {rank:g}"),
            changes=remedy(run, "lora_rank", 32),
            help="train an adapter of rank 32",
        )
