"""Pipeline parallelism of a rollout engine that does not have it.

## What it checks
`rollout.pipeline_model_parallel_size` above 1 with vLLM, SGLang or TensorRT-LLM.

## Why it matters
The rollout configuration is refused after Ray has started: verl has not implemented it for these engines.

## Example
    actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.pipeline_model_parallel_size=2

## Instead
    actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.tensor_model_parallel_size=2

## Fix safety
Safe: it only lets the run get past the error.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.relations import equals, minimum, together
from grpolint.rules.verl._trainer import ppo_trainer

_SIZE = "actor_rollout_ref.rollout.pipeline_model_parallel_size"


@rule(
    id="VE015",
    name="rollout-pipeline-parallel",
    summary="pipeline parallelism of the rollout is not implemented",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.6"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/config/rollout.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/rollout.py",
            "RolloutConfig raises NotImplementedError for the engines that it names.",
        ),
    ),
    when={"verl:actor_rollout_ref.rollout.pipeline_model_parallel_size": above(1)},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "verl has no pipeline parallelism for this rollout engine and refuses to start",
        minimum(f"verl:{_SIZE}", 2, "pipeline parallel"),
        equals("fact:rollout_engine", "vllm", "sglang", "trtllm", label="this engine"),
        changes=(SetOption("verl", _SIZE, 1, safe=True),),
    )
