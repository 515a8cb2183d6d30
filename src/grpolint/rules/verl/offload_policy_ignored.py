"""An offload policy that FSDP1 does not have.

## What it checks
`fsdp_config.offload_policy=True` of the actor while its strategy is `fsdp`.

## Why it matters
The policy belongs to FSDP2. Under FSDP1 verl does not read it, and weights and optimizer stay on the GPU unless
`param_offload` and `optimizer_offload` say otherwise.

## Example
    actor_rollout_ref.actor.strategy=fsdp actor_rollout_ref.actor.fsdp_config.offload_policy=True

## Instead
    actor_rollout_ref.actor.strategy=fsdp2 actor_rollout_ref.actor.fsdp_config.offload_policy=True

## Fix safety
None is offered: fsdp2, or the two switches of FSDP1.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import equals, off, on, together
from grpolint.rules.verl._trainer import ppo_trainer

_POLICY = "actor_rollout_ref.actor.fsdp_config.offload_policy"


@rule(
    id="VE081",
    name="offload-policy-ignored",
    summary="offload_policy has no effect with FSDP1",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.4"},
    when={"verl:actor_rollout_ref.actor.fsdp_config.offload_policy": True},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine/fsdp/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/fsdp/transformer_impl.py",
            "Only the branch for fsdp2 reads offload_policy.",
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
    """Yield a finding for the policy under FSDP1."""
    yield from together(
        run,
        "offload_policy has no effect with FSDP1: weights and optimizer states stay where param_offload and "
        "optimizer_offload put them",
        on(f"verl:{_POLICY}", "read under FSDP2 only"),
        equals("fact:engine", "fsdp", label="FSDP1"),
        off("verl:actor_rollout_ref.actor.fsdp_config.param_offload", "stay on the GPU"),
        help="take strategy=fsdp2, or set param_offload and optimizer_offload",
    )
