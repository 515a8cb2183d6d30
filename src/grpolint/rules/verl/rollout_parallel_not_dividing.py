"""Parallel sizes of the rollout engine that do not divide the devices.

## What it checks
The number of devices must be a multiple of the engine's tensor parallel size, and from 0.6 on of tensor * data *
pipeline parallel size. The default tensor parallel size is 2.

## Why it matters
The workers stop with an assertion while they start. On a single GPU the default of 2 is enough to do that.

## Example
    trainer.n_gpus_per_node=1 trainer.nnodes=1

## Instead
    trainer.n_gpus_per_node=1 trainer.nnodes=1 actor_rollout_ref.rollout.tensor_model_parallel_size=1

## Fix safety
Unsafe: it changes how much memory an engine has.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_ROLLOUT = "actor_rollout_ref.rollout"


@rule(
    id="VE011",
    name="rollout-parallel-not-dividing",
    summary="the parallel sizes of the rollout engine do not divide the number of GPUs",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.2"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine_workers.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine_workers.py",
            "Asserts that the world size is a multiple of the size of an engine, tensor * data * pipeline.",
        ),
        Evidence(
            "verl 0.4.1: verl/workers/fsdp_workers.py",
            "https://github.com/verl-project/verl/blob/v0.4.1/verl/workers/fsdp_workers.py",
            "Asserts it for the tensor parallel size.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("fact:rollout_colocated") is not True or run.text("fact:rollout_engine") == "hf":
        return
    terms = [Term(f"verl:{_ROLLOUT}.tensor_model_parallel_size", "rollout tensor parallel")]
    if satisfies(run.run.settings["verl"].version.text, ">=0.6"):
        terms.append(Term(f"verl:{_ROLLOUT}.data_parallel_size", "data parallel", assume=1))
        terms.append(Term(f"verl:{_ROLLOUT}.pipeline_model_parallel_size", "pipeline parallel", assume=1))
    devices = Size.of(run, Term("fact:world_size", "number of GPUs"))
    engine = Size.of(run, *terms)
    yield from multiple(
        run, devices, engine, "every rollout engine takes as many", help="choose parallel sizes that divide the GPUs"
    )
