"""More devices than the cluster has.

## What it checks
The devices of the trainer and of the engines that generate, where they do not share, against `cluster.n_nodes` times
`cluster.n_gpus_per_node`.

## Why it matters
The scheduler waits for devices that never come, or refuses the job.

## Example
    cluster: {n_nodes: 1, n_gpus_per_node: 8}
    actor: {backend: fsdp:d8}
    rollout: {backend: sglang:d4}

## Instead
    cluster: {n_nodes: 1, n_gpus_per_node: 8}
    actor: {backend: fsdp:d4}
    rollout: {backend: sglang:d4}

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.frameworks.areal.facts import allocations
from grpolint.rules.api import Evidence, Inquiry, Undecided, rule
from grpolint.values import Unknown


@rule(
    id="AR003",
    name="cluster-too-small",
    summary="trainer and engines need more devices than the cluster has",
    severity=Severity.WARNING,
    frameworks={"areal": ">=0.4.1"},
    evidence=(
        Evidence(
            "areal 1.0.4: docs/en/reference/alloc_mode.md",
            "https://github.com/inclusionAI/AReaL/blob/v1.0.4/docs/en/reference/alloc_mode.md",
            "Engines that do not share have devices of their own, and the sum of them is needed.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the sum does not fit."""
    program = run.run.program.replace("/", ".")
    if run.text("areal:scheduler.type") not in ("slurm", "ray") and not program.endswith(
        ("launcher.slurm", "launcher.ray")
    ):
        return
    nodes, per_node = run.integer("fact:nodes"), run.integer("fact:gpus_per_node")
    sizes = []
    for name in ("actor", "rollout"):
        value = allocations(run.run, name)
        if isinstance(value, Unknown):
            raise Undecided(f"areal:{name}.backend ({value.reason})")
        if value is None:
            return
        sizes.append(value.value.world_size)
    if nodes is None or per_node is None or run.known("fact:rollout_colocated") is not False:
        return
    train, generate = sizes
    if 0 < nodes * per_node < train + generate:
        yield run.finding(
            f"{train} devices train and {generate} generate = {train + generate}, but the cluster has"
            f" {nodes} * {per_node} = {nodes * per_node}",
            *(
                ref
                for key in ("actor.backend", "rollout.backend", "allocation_mode")
                if run.is_set(ref := f"areal:{key}")
            ),
            ("areal:cluster.n_nodes", "nodes"),
            ("areal:cluster.n_gpus_per_node", "devices of each"),
            help="make one of the allocations smaller, or the cluster larger",
        )
