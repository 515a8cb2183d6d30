"""bfloat16 in the rollout engine on a GPU that does not have it.

## What it checks
The rollout engine is vLLM and told to compute in bfloat16, and the GPU is older than Ampere (compute capability below
8.0): V100, T4, RTX 20.

## Why it matters
vLLM refuses to start there. The GPU is known from `--gpu` or from the batch system's request (`--gres=gpu:v100:8`).

## Example
    #SBATCH --gres=gpu:v100:8
    python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.dtype=bfloat16

## Instead
    #SBATCH --gres=gpu:v100:8
    python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.dtype=float16

## Fix safety
None is offered: float16 needs care in training as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_AMPERE = (8, 0)


@rule(
    id="PR002",
    name="rollout-type-not-on-gpu",
    summary="vLLM in bfloat16 on a GPU without it",
    severity=Severity.ERROR,
    evidence=(
        Evidence(
            "vllm-project/vllm#946",
            "https://github.com/vllm-project/vllm/issues/946",
            "A V100 is refused because bfloat16 needs compute capability 8.0; the maintainer's answer is half precision.",
        ),
    ),
    when={"fact:gpu_capability": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the GPU is too old for the type."""
    capability = run.known("fact:gpu_capability")
    if capability is None or capability >= _AMPERE or run.text("fact:rollout_engine") != "vllm":
        return
    if run.text("fact:rollout_dtype") in ("bfloat16", "bf16"):
        major, minor = capability
        yield run.finding(
            f"vLLM refuses bfloat16 on {run.text('fact:gpu')}: compute capability {major}.{minor} is below 8.0",
            ("fact:rollout_dtype", "bfloat16"),
            ("fact:gpu", "the GPU"),
            help="use float16 in the rollout engine, or a GPU of the Ampere generation or later",
        )
