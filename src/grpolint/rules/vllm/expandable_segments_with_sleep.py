"""vLLM's sleep mode together with expandable segments.

## What it checks
`PYTORCH_CUDA_ALLOC_CONF` (or `PYTORCH_ALLOC_CONF`) turns on `expandable_segments` in a run whose vLLM rollout engine
sleeps between steps.

## Why it matters
The memory pool behind sleep mode does not work with expandable segments: vLLM stops with an assertion when the engine
is made.

## Example
    export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
    python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm

## Instead
    unset PYTORCH_CUDA_ALLOC_CONF
    python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm

## Fix safety
None is offered: the variable is shared by everything the script starts.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_VARIABLES = ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF")


@rule(
    id="VL002",
    name="expandable-segments-with-sleep",
    summary="expandable_segments:True with vLLM sleep mode",
    severity=Severity.ERROR,
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/device_allocator/cumem.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/device_allocator/cumem.py",
            "CuMemAllocator asserts that expandable_segments:True is not in the allocator configuration.",
        ),
        Evidence(
            "pytorch/pytorch#147851",
            "https://github.com/pytorch/pytorch/issues/147851",
            "Expandable segments and memory pools do not work together.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each variable that turns expandable segments on."""
    names = [name for name in _VARIABLES if name in run.run.env]
    if not names or run.text("fact:rollout_engine") != "vllm" or run.known("fact:rollout_sleep") is not True:
        return
    for name in names:
        if "expandable_segments:true" in (run.text(f"env:{name}") or "").lower():
            yield run.finding(
                f"{name} turns on expandable segments, which vLLM's sleep mode cannot work with",
                (f"env:{name}", "expandable segments"),
                ("fact:rollout_sleep", "sleep mode"),
                ("fact:rollout_engine", "vLLM generates"),
                help=f"do not set expandable_segments in {name}, or turn sleep mode off",
            )
