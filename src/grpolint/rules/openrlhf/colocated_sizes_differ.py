"""Models that share GPUs and have different sizes.

## What it checks
With `--train.colocate_all` or `--train.colocate_actor_ref` the reference model needs the nodes and GPUs per node of
the actor (where there is one: `--algo.kl.init_coef` above 0), and with `--train.colocate_critic_reward` the reward
model those of the critic.

## Why it matters
The program stops with an assertion. The defaults are one node of 8 GPUs for each model, so that changing the actor
alone is enough to run into it.

## Example
    --train.colocate_all --actor.num_gpus_per_node 4

## Instead
    --train.colocate_all --actor.num_gpus_per_node 4 --ref.num_gpus_per_node 4

## Fix safety
Safe: with other sizes the run stops.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


def _differ(run: Inquiry, first: str, second: str) -> Iterator[Finding]:
    """A finding for each size in which two models differ."""
    for key in ("num_nodes", "num_gpus_per_node"):
        one, other = f"openrlhf:{first}.{key}", f"openrlhf:{second}.{key}"
        number, another = run.integer(one), run.integer(other)
        if number is not None and another is not None and number != another:
            yield run.finding(
                f"{first} and {second} share GPUs, and {key} is {number} for one and {another} for the other",
                (one, first),
                (other, second),
                changes=(SetOption("openrlhf", f"{second}.{key}", number, safe=True),),
            )


@rule(
    id="OR020",
    name="colocated-sizes-differ",
    summary="models that share GPUs have different numbers of nodes or GPUs",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.5.4"},
    when={"|".join(f"openrlhf:train.colocate_{which}" for which in ("all", "actor_ref", "critic_reward")): True},
    evidence=(
        Evidence(
            "openrlhf 0.11.0: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.0/openrlhf/cli/train_ppo_ray.py",
            "Asserts that actor and reference, critic and reward have equal sizes where they are colocated.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if any(run.flag(f"openrlhf:train.{key}") is True for key in ("colocate_all", "colocate_actor_ref")):
        weight = run.number("openrlhf:algo.kl.init_coef")
        if weight is not None and weight > 0:
            yield from _differ(run, "actor", "ref")
    if run.flag("openrlhf:train.colocate_critic_reward") is True and run.flag("fact:uses_critic") is True:
        yield from _differ(run, "critic", "reward")
