"""A statistic of the logits, with kernels that never make them.

## What it checks
`actor.calculate_sum_pi_squared` with `model.use_fused_kernels`.

## Why it matters
The fused kernels compute log-probabilities without the logits, of which the statistic is a sum. The engine raises
NotImplementedError in the first update; the legacy worker of 0.7.1 stops at the start.

## Example
    actor_rollout_ref.actor.calculate_sum_pi_squared=True actor_rollout_ref.model.use_fused_kernels=True

## Instead
    actor_rollout_ref.actor.calculate_sum_pi_squared=True actor_rollout_ref.model.use_fused_kernels=False

## Fix safety
Safe in what is trained: the kernels only save memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import on, together
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="VE105",
    name="statistic-without-logits",
    summary="calculate_sum_pi_squared with use_fused_kernels",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7.1"},
    when={
        "verl:actor_rollout_ref.actor.calculate_sum_pi_squared": True,
        "verl:actor_rollout_ref.model.use_fused_kernels": True,
    },
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine/fsdp/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/fsdp/transformer_impl.py",
            "prepare_model_inputs raises NotImplementedError for the two together.",
        ),
        Evidence(
            "verl 0.7.1: verl/workers/actor/dp_actor.py",
            "https://github.com/verl-project/verl/blob/v0.7.1/verl/workers/actor/dp_actor.py",
            "The legacy worker refuses them too.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the combination."""
    yield from together(
        run,
        "calculate_sum_pi_squared needs the logits, which the fused kernels never make: verl refuses the combination",
        on("verl:actor_rollout_ref.actor.calculate_sum_pi_squared", "sums over the logits"),
        on("verl:actor_rollout_ref.model.use_fused_kernels", "no logits"),
        changes=(SetOption("verl", "actor_rollout_ref.model.use_fused_kernels", value=False, safe=True),),
    )
