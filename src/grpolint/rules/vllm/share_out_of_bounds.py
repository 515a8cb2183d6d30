"""A share of the GPU's memory that is none.

## What it checks
`gpu_memory_utilization` of vLLM, also below a trainer: above 1, or 0 and less.

## Why it matters
vLLM refuses to start. It is a share, not a percentage and not GiB.

## Example
    actor_rollout_ref.rollout.gpu_memory_utilization=60

## Instead
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6

## Fix safety
Unsafe: what was meant is a guess.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import change, option


@rule(
    id="VL039",
    name="share-out-of-bounds",
    summary="a share of the memory that is not between 0 and 1",
    severity=Severity.ERROR,
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/cache.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/cache.py",
            "gpu_memory_utilization is above 0 and at most 1.",
        ),
        Evidence(
            "vllm 0.8.5: vllm/config.py",
            "https://github.com/vllm-project/vllm/blob/v0.8.5/vllm/config.py",
            "Raises ValueError above 1.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it is out of bounds."""
    share = run.number("fact:rollout_memory")
    if share is None or 0 < share <= 1 or run.text("fact:rollout_engine") != "vllm":
        return
    ref = option(run, "vllm", "gpu_memory_utilization")
    percent = share / 100 if 5 <= share <= 100 and ref.startswith(("verl:", "vllm:")) else None
    yield run.finding(
        f"gpu_memory_utilization {share:g} is no share of a GPU's memory: vLLM wants more than 0 and at most 1",
        ("fact:rollout_memory", "out of bounds"),
        help="" if percent else "use a share such as 0.6",
        changes=(change(ref, percent),) if percent else (),
    )
