"""A split of experts that only TensorRT-LLM has.

## What it checks
`rollout.moe_tensor_parallel_size` above 1 with another engine than TensorRT-LLM.

## Why it matters
The rollout configuration is refused after Ray has started.

## Example
    actor_rollout_ref.rollout.name=vllm +actor_rollout_ref.rollout.moe_tensor_parallel_size=2

## Instead
    actor_rollout_ref.rollout.name=trtllm +actor_rollout_ref.rollout.moe_tensor_parallel_size=2

## Fix safety
Safe: it only lets the run get past the error.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.relations import equals, minimum, together
from grpolint.rules.verl._trainer import ppo_trainer

_SIZE = "actor_rollout_ref.rollout.moe_tensor_parallel_size"


@rule(
    id="VE025",
    name="rollout-moe-tensor-parallel",
    summary="moe_tensor_parallel_size is only for TensorRT-LLM",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7.1"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/config/rollout.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/rollout.py",
            "RolloutConfig asserts that the engine is trtllm where the size is above 1.",
        ),
    ),
    when={"verl:actor_rollout_ref.rollout.moe_tensor_parallel_size": above(1)},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    engine = run.text("fact:rollout_engine")
    if engine is None or engine == "trtllm":
        return
    yield from together(
        run,
        f"rollout.moe_tensor_parallel_size is for TensorRT-LLM, and {engine} generates: verl refuses it",
        minimum(f"verl:{_SIZE}", 2, "only for trtllm"),
        equals("fact:rollout_engine", engine, label="generates"),
        changes=(RemoveOption("verl", _SIZE, safe=True),),
    )
