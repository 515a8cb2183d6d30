"""FSDP shards over a number of devices that does not divide all of them.

## What it checks
`fsdp_config.fsdp_size` of the actor is above 0 and below the number of GPUs, and does not divide it.

## Why it matters
verl makes a mesh of (GPUs // fsdp_size) * fsdp_size devices, which is fewer than there are: processes that are left
out find no group of theirs, and stop.

## Example
    trainer.n_gpus_per_node=8 actor_rollout_ref.actor.fsdp_config.fsdp_size=3

## Instead
    trainer.n_gpus_per_node=8 actor_rollout_ref.actor.fsdp_config.fsdp_size=4

## Fix safety
None is offered: the size decides on memory and traffic.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.relations import Size, Term, multiple
from grpolint.rules.verl._trainer import ppo_trainer

_SIZE = "actor_rollout_ref.actor.fsdp_config.fsdp_size"


@rule(
    id="VE099",
    name="shard-size-not-dividing",
    summary="fsdp_size does not divide the number of GPUs",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.2"},
    when={"verl:actor_rollout_ref.actor.fsdp_config.fsdp_size": above(1)},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine/fsdp/utils.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/fsdp/utils.py",
            "create_device_mesh makes a mesh of (world size // fsdp_size, fsdp_size) for a size between 0 and the world size.",
        ),
        Evidence(
            "verl 0.4.1: verl/workers/fsdp_workers.py",
            "https://github.com/verl-project/verl/blob/v0.4.1/verl/workers/fsdp_workers.py",
            "The same.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it does not divide."""
    size = run.integer(f"verl:{_SIZE}")
    if size is None or size < 1 or not str(run.known("fact:engine")).startswith("fsdp"):
        return
    devices = Size.of(run, Term("fact:world_size", "number of GPUs"))
    if devices is not None and size < devices.value:
        yield from multiple(
            run,
            devices,
            Size.of(run, Term(f"verl:{_SIZE}", "fsdp_size")),
            "the mesh of FSDP would leave devices out",
            help="choose a divisor, or -1 for all",
        )
