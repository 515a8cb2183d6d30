"""Engines on the trainer's devices that are not as many as the devices.

## What it checks
With `trainer.placement.colocate_all`, the devices of all engines (engines times their tensor, pipeline and data parallel
sizes) must be as many as those of the policy.

## Why it matters
SkyRL checks it before anything starts and stops with an assertion.

## Example
    trainer.placement.policy_num_gpus_per_node=8 generator.inference_engine.num_engines=8 generator.inference_engine.tensor_parallel_size=2

## Instead
    trainer.placement.policy_num_gpus_per_node=8 generator.inference_engine.num_engines=4 generator.inference_engine.tensor_parallel_size=2

## Fix safety
None is offered: fewer engines, smaller ones or more devices are a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term
from grpolint.rules.skyrl._entry import severity

_ENGINE = "generator.inference_engine"
_SIZES = ("tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size")


def _engines(run: Inquiry) -> Size | None:
    """The devices of all engines, under the names of either package."""
    if run.ask(f"skyrl:{_ENGINE}.num_engines") is not None:
        count, dot = f"{_ENGINE}.num_engines", "."
    else:
        count, dot = "generator.num_inference_engines", "_"
    terms = [Term(f"skyrl:{_ENGINE}{dot}{size}", size, assume=1) for size in _SIZES]
    return Size.of(run, Term(f"skyrl:{count}", count.rpartition(".")[2]), *terms)


@rule(
    id="SK001",
    name="skyrl-colocated-engines-mismatch",
    summary="colocated engines take more or fewer devices than the policy",
    severity=Severity.ERROR,
    frameworks={"skyrl": ""},
    evidence=(
        Evidence(
            "SkyRL 0.3.0: skyrl/train/utils/utils.py",
            "https://github.com/NovaSky-AI/SkyRL/blob/skyrl-v0.3.0/skyrl/train/utils/utils.py",
            "validate_cfg asserts that policy and rollout have the same number of GPUs when all models are colocated.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the numbers differ."""
    if run.flag("skyrl:trainer.placement.colocate_all") is not True:
        return
    policy = Size.of(
        run,
        Term("skyrl:trainer.placement.policy_num_gpus_per_node", "policy_num_gpus_per_node"),
        Term("skyrl:trainer.placement.policy_num_nodes", "policy_num_nodes"),
    )
    engines = _engines(run)
    if policy is None or engines is None or policy.value == engines.value:
        return
    yield run.finding(
        f"{engines.equation} GPUs of engines, {policy.equation} of the policy: colocated models share the same ones",
        *engines.places,
        *policy.places,
        severity=severity(run),
    )
