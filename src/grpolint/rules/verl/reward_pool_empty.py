"""A pool of devices for the reward model, without devices.

## What it checks
`enable_resource_pool` of the reward model while its `nnodes` or `n_gpus_per_node` is 0, or fewer devices than one of
its engines takes.

## Why it matters
nnodes is 0 by default: verl raises ValueError when it makes its pools. With fewer devices than the parallel sizes of
its engine, it stops at an assertion.

## Example
    reward.reward_model.enable=True reward.reward_model.enable_resource_pool=True

## Instead
    reward.reward_model.enable=True reward.reward_model.enable_resource_pool=True reward.reward_model.nnodes=1 reward.reward_model.n_gpus_per_node=8

## Fix safety
None is offered: how many devices it gets is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="VE061",
    name="reward-pool-empty",
    summary="the reward model has a resource pool of its own and no machines in it",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.6"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/v1/trainer_base.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/v1/trainer_base.py",
            "Raises ValueError if nnodes or n_gpus_per_node of the pool is not above 0.",
        ),
        Evidence(
            "verl 0.9.1: verl/experimental/reward_loop/reward_model.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/experimental/reward_loop/reward_model.py",
            "Asserts that at least one engine fits.",
        ),
    ),
    when={"verl:reward.reward_model.enable_resource_pool|verl:reward_model.enable_resource_pool": SET},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the pool cannot hold an engine."""
    for section in ("reward.reward_model", "reward_model"):
        if not run.is_set(f"verl:{section}.enable_resource_pool"):
            continue
        if any(run.flag(f"verl:{section}.{switch}") is not True for switch in ("enable", "enable_resource_pool")):
            continue
        pool = Size.of(
            run, Term(f"verl:{section}.nnodes", "nnodes"), Term(f"verl:{section}.n_gpus_per_node", "n_gpus_per_node")
        )
        if pool is None:
            continue
        if pool.value < 1:
            yield run.finding(
                f"the resource pool of the reward model is empty: {pool.equation}",
                (f"verl:{section}.enable_resource_pool", "wants a pool"),
                *pool.places,
                help=f"set {section}.nnodes and {section}.n_gpus_per_node",
            )
            continue
        rollout = f"verl:{section}.rollout"
        engine = Size.of(
            run,
            Term(f"{rollout}.tensor_model_parallel_size", "tensor parallel", assume=1),
            Term(f"{rollout}.data_parallel_size", "data parallel", assume=1),
        )
        yield from at_least(run, pool, engine, "an engine of the reward model does not fit into its pool")
