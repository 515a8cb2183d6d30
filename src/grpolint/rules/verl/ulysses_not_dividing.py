"""Ulysses over a number of devices that does not divide all of them.

## What it checks
`ulysses_sequence_parallel_size` above 1 of an actor under FSDP does not divide the number of GPUs.

## Why it matters
verl makes a mesh of data and sequence parallel ranks, which then holds fewer devices than there are: processes that
are left out find no group of theirs, and stop.

## Example
    trainer.n_gpus_per_node=6 actor_rollout_ref.actor.ulysses_sequence_parallel_size=4

## Instead
    trainer.n_gpus_per_node=6 actor_rollout_ref.actor.ulysses_sequence_parallel_size=2

## Fix safety
None is offered: the size decides on memory and traffic.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.relations import Size, Term, multiple
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="VE080",
    name="ulysses-not-dividing",
    summary="the sequence parallel size does not divide the number of GPUs",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3"},
    when={"fact:sp": above(1)},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine/fsdp/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/fsdp/transformer_impl.py",
            "The mesh of data and sequence parallel ranks has world size // size rows of that many devices.",
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
    """Yield one finding for each that it does not divide."""
    if not str(run.known("fact:engine")).startswith("fsdp") or (run.integer("fact:sp") or 1) < 2:
        return
    size = Size.of(run, Term("fact:sp", "ulysses_sequence_parallel_size"))
    devices = Size.of(run, Term("fact:world_size", "number of GPUs"))
    yield from multiple(
        run, devices, size, "each sequence is split over as many", help="choose a size that divides the number of GPUs"
    )
