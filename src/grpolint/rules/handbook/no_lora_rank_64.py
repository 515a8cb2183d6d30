"""No LoRA rank of 64 or more with vLLM.

## What it checks
The adapter's rank is below 64 where vLLM generates; of a vLLM server, the largest rank that it accepts. D08 asks for
32 everywhere.

## Why it matters
The handbook: vLLM never ends a response then.

## Example
    {"lora_rank": 64, "rollout_engine": "vllm"}

## Instead
    {"lora_rank": 32, "rollout_engine": "vllm"}

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry, NotApplicable
from grpolint.rules.handbook._asking import need, number, training
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("N05", "no-lora-rank-64-on-vllm", "no LoRA rank of 64 or more with vLLM")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for such a rank."""
    if run.run.trainer == "vllm":
        if run.flag("vllm:enable_lora") is not True:
            raise NotApplicable("the server takes no adapters")
        place, rank = "vllm:max_lora_rank", run.number("vllm:max_lora_rank")
    else:
        training(run)
        place, rank = "fact:lora_rank", number(run, "lora_rank", "LoRA")
    if rank is None or rank == 0:
        raise NotApplicable("no adapter is trained")
    if rank < 64:
        return
    engine = need(run, "rollout_engine", "a rollout engine")
    if engine != "vllm":
        raise NotApplicable(f"{engine} generates, not vLLM")
    yield run.finding(
        f"LoRA rank {rank:g} >= 64 with vLLM; the handbook forbids it",
        (place, f"rank {rank:g}"),
        ("fact:rollout_engine", "vLLM"),
        changes=remedy(run, "lora_rank", 32) if place.startswith("fact:") else (),
        help="take adapters of rank 32",
    )
