r"""A switch for checkpointing that Megatron does not have.

## What it checks
`actor_rollout_ref.model.enable_gradient_checkpointing=True` written for a run whose actor trains on Megatron, while
`recompute_granularity` is not given.

## Why it matters
verl hands the switch to its FSDP workers only. On Megatron nothing is recomputed, and the memory that the switch is
there for is used.

## Example
    --config-name=ppo_megatron_trainer actor_rollout_ref.model.enable_gradient_checkpointing=True

## Instead
    --config-name=ppo_megatron_trainer \
        actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full \
        actor_rollout_ref.actor.megatron.override_transformer_config.recompute_method=uniform \
        actor_rollout_ref.actor.megatron.override_transformer_config.recompute_num_layers=1

## Fix safety
None is offered: recomputation costs a third of the speed.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.megatron._transformer import VERL

_SWITCH = "verl:actor_rollout_ref.model.enable_gradient_checkpointing"


@rule(
    id="MG073",
    name="checkpointing-switch-ignored",
    summary="enable_gradient_checkpointing has no effect on verl's Megatron workers",
    severity=Severity.INFO,
    frameworks={"verl": ">=0.6"},
    when={_SWITCH: SET, "fact:engine": "megatron"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine/megatron/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/megatron/transformer_impl.py",
            "Does not read the switch; the engines of FSDP and VeOmni do.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    granularity = f"{VERL}.recompute_granularity"
    if not run.is_set(_SWITCH) or run.flag(_SWITCH) is not True or run.text("fact:engine") != "megatron":
        return
    if run.known(granularity) is None:
        yield run.finding(
            "enable_gradient_checkpointing has no effect on Megatron, and nothing is recomputed",
            (_SWITCH, "ignored"),
            (granularity, "not given"),
            help="set recompute_granularity, recompute_method and recompute_num_layers in override_transformer_config, or take the "
            "switch out",
        )
