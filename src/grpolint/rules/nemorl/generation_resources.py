"""Devices for generation of its own that do not fit the cluster.

## What it checks
With `policy.generation.colocated.enabled: false`: on one node `colocated.resources.gpus_per_node` must be set and
leave devices for training; on several `resources.num_nodes` must leave nodes, and `resources.gpus_per_node` must be
that of the cluster.

## Why it matters
NeMo-RL asserts it when it sets up the cluster.

## Example
    uv run examples/run_grpo.py cluster.gpus_per_node=8 policy.generation.colocated.enabled=false

## Instead
    uv run examples/run_grpo.py cluster.gpus_per_node=8 policy.generation.colocated.enabled=false policy.generation.colocated.resources.gpus_per_node=4

## Fix safety
Unsafe: how many devices generation should have is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_RESOURCES = "nemo-rl:policy.generation.colocated.resources"
_SWITCH = "nemo-rl:policy.generation.colocated.enabled"


@rule(
    id="NR006",
    name="generation-resources",
    summary="devices for generation of its own that do not fit the cluster",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.4"},
    when={"fact:rollout_colocated": False},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/algorithms/grpo.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/algorithms/grpo.py",
            "setup() asserts the resources of inference that is not colocated, for one node and for several.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each assertion that fails."""
    if run.flag(_SWITCH) is not False:
        return
    nodes, gpus = run.integer("nemo-rl:cluster.num_nodes"), run.integer("nemo-rl:cluster.gpus_per_node")
    own = run.integer(f"{_RESOURCES}.gpus_per_node")
    if nodes is None or gpus is None:
        return
    places = (
        (f"{_RESOURCES}.gpus_per_node", ""),
        ("nemo-rl:cluster.gpus_per_node", f"{gpus} GPUs"),
        (_SWITCH, "not colocated"),
    )
    if nodes == 1:
        if not own or own < 1 or own >= gpus:
            what = f"{own} of {gpus} GPUs: none is left for training" if own else "no GPUs of its own"
            advice = f"set policy.generation.colocated.resources.gpus_per_node to a part of the {gpus} GPUs"
            yield run.finding(f"generation that is not colocated takes {what}", *places[not own :], help=advice)
        return
    if own != gpus:
        yield run.finding(
            f"generation takes {own if own is not None else 'no'} GPUs of nodes with {gpus}: on several nodes it takes whole ones",
            *places[1 if own is None else 0 :],
            help=f"set policy.generation.colocated.resources.gpus_per_node to {gpus}",
        )
    taken = run.integer(f"{_RESOURCES}.num_nodes")
    if taken is None or taken < 1 or taken >= nodes:
        yield run.finding(
            f"generation takes {taken if taken is not None else 'no'} nodes of {nodes}: both it and training need at least one",
            (f"{_RESOURCES}.num_nodes" if taken is not None else _SWITCH, "not colocated" if taken is None else ""),
            ("nemo-rl:cluster.num_nodes", f"{nodes} nodes"),
        )
