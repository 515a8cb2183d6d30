"""A largest LoRA rank that vLLM does not allow.

## What it checks
`--max-lora-rank` of a vLLM server: 8, 16, 32, 64, 128, 256, 320 or 512, and 1 from 0.11.1 on.

## Why it matters
vLLM refuses to start.

## Example
    vllm serve Qwen/Qwen3-8B --enable-lora --max-lora-rank 48

## Instead
    vllm serve Qwen/Qwen3-8B --enable-lora --max-lora-rank 64

## Fix safety
Safe: it makes room for the adapter.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_ALLOWED = (1, 8, 16, 32, 64, 128, 256, 320, 512)


@rule(
    id="LO002",
    name="lora-rank-not-allowed",
    summary="max-lora-rank is none of the values that vLLM allows",
    severity=Severity.ERROR,
    frameworks={"vllm": ">=0.11.2"},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/lora.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/lora.py",
            "MaxLoRARanks lists the values.",
        ),
    ),
    when={"vllm:max_lora_rank": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.run.setting("vllm", "max_lora_rank") is None or run.flag("vllm:enable_lora") is False:
        return
    rank = run.integer("vllm:max_lora_rank")
    if rank is None or rank in _ALLOWED:
        return
    enough = next((each for each in _ALLOWED if each >= rank), None)
    yield run.finding(
        f"max-lora-rank {rank} is none of the ranks that vLLM allows",
        ("vllm:max_lora_rank", "refused"),
        help=f"use one of {', '.join(map(str, _ALLOWED))}",
        changes=(SetOption("vllm", "max_lora_rank", enough, safe=True),) if enough is not None else (),
    )
