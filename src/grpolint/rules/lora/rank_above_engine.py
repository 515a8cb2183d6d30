"""A LoRA rank that the rollout engine does not accept.

## What it checks
The rank of the adapter against the largest one that a vLLM server with LoRA serves (`max_lora_rank`, 16 if nobody says
otherwise), and in verl, which raises that limit itself, against vLLM's largest allowed value.

## Why it matters
vLLM refuses the adapter when it is loaded, after the first weights have been trained or at the start.

## Example
    vllm serve Qwen/Qwen3-8B --enable-lora --lora-modules policy=/ckpt/adapter      with an adapter of rank 64

## Instead
    vllm serve Qwen/Qwen3-8B --enable-lora --max-lora-rank 64 --lora-modules policy=/ckpt/adapter

## Fix safety
Safe: it only makes room for the adapter.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_LARGEST = 512
"""Largest max_lora_rank that vLLM allows."""
_ENGINE = {"verl": "actor_rollout_ref.rollout.engine_kwargs.vllm.max_lora_rank"}


@rule(
    id="LO001",
    name="lora-rank-above-engine",
    summary="LoRA rank above what the rollout engine accepts",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4", "vllm": ""},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/lora.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/lora.py",
            "max_lora_rank is 16 by default and one of 1, 8, 16, 32, 64, 128, 256, 320 and 512.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/rollout/vllm_rollout/utils.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/rollout/vllm_rollout/utils.py",
            "get_vllm_max_lora_rank takes the next allowed value and raises ValueError above the largest.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the rank is above the limit in force."""
    rank = run.integer("fact:lora_rank")
    if not rank or run.text("fact:rollout_engine") != "vllm":
        return
    trainer = run.run.trainer
    key = _ENGINE.get(trainer, "max_lora_rank")
    written = run.is_set(f"{trainer}:{key}")
    limit = run.integer(f"{trainer}:{key}") if written or trainer == "vllm" else _LARGEST
    if limit is None or rank <= limit:
        return
    yield run.finding(
        f"LoRA rank {rank} > {limit}, the largest rank that the vLLM engine of this run accepts",
        ("fact:lora_rank", f"rank {rank}"),
        (f"{trainer}:{key}", f"up to {limit}"),
        help="" if rank <= _LARGEST else f"use a rank of at most {_LARGEST}",
        changes=(SetOption(trainer, key, rank, safe=True),) if rank <= _LARGEST else (),
    )
