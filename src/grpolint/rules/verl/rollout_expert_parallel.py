"""An expert parallel size of the rollout that is not tensor * data parallel.

## What it checks
`rollout.expert_parallel_size` above 1 must equal `tensor_model_parallel_size * data_parallel_size` of the rollout,
for every engine but TensorRT-LLM.

## Why it matters
The rollout configuration is refused after Ray has started.

## Example
    actor_rollout_ref.rollout.tensor_model_parallel_size=4 actor_rollout_ref.rollout.expert_parallel_size=8

## Instead
    actor_rollout_ref.rollout.tensor_model_parallel_size=4 actor_rollout_ref.rollout.data_parallel_size=2 actor_rollout_ref.rollout.expert_parallel_size=8

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.relations import Size, Term
from grpolint.rules.verl._trainer import ppo_trainer

_ROLLOUT = "actor_rollout_ref.rollout"


@rule(
    id="VE014",
    name="rollout-expert-parallel-mismatch",
    summary="expert_parallel_size of the rollout is not tensor * data parallel size",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.6"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/config/rollout.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/rollout.py",
            "RolloutConfig asserts the equality where expert_parallel_size is above 1.",
        ),
    ),
    when={"verl:actor_rollout_ref.rollout.expert_parallel_size": above(1)},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    experts = run.integer(f"verl:{_ROLLOUT}.expert_parallel_size")
    if experts is None or experts < 2 or run.text("fact:rollout_engine") == "trtllm":
        return
    tp = Term(f"verl:{_ROLLOUT}.tensor_model_parallel_size", "tensor parallel", "of an engine")
    dp = Term(f"verl:{_ROLLOUT}.data_parallel_size", "data parallel", assume=1)
    size = Size.of(run, tp, dp)
    if size is not None and size.value != experts:
        yield run.finding(
            f"expert_parallel_size {experts} of the rollout is not {size.equation}",
            (f"verl:{_ROLLOUT}.expert_parallel_size", "expert parallel"),
            *size.places,
            help=f"set it to {size.value}, or choose sizes whose product is {experts}",
        )
