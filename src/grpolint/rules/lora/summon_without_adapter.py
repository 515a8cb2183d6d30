"""Collecting an adapter where there is none.

## What it checks
`rollout.layered_summon` in verl from 0.8 on while no adapter is trained.

## Why it matters
The option collects the parameters of an adapter layer by layer. Weights that are sent in full are gathered one by one anyway: it saves no
memory there.

## Example
    actor_rollout_ref.rollout.layered_summon=True

## Instead
    actor_rollout_ref.rollout.layered_summon=False

## Fix safety
Safe: it has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import change
from grpolint.rules.verl._trainer import ppo_trainer

_SUMMON = "verl:actor_rollout_ref.rollout.layered_summon"


@rule(
    id="LO024",
    name="summon-without-adapter",
    summary="layered_summon without an adapter",
    severity=Severity.INFO,
    frameworks={"verl": ">=0.8"},
    when={_SUMMON: True, "fact:lora_rank": 0},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine/fsdp/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/fsdp/transformer_impl.py",
            "layered_summon is handed to collect_lora_params and to nothing else.",
        ),
        Evidence(
            "verl 0.8.0: verl/workers/engine/fsdp/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/workers/engine/fsdp/transformer_impl.py",
            "The same.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if nothing is to be collected."""
    if run.flag(_SUMMON) is not True or run.integer("fact:lora_rank") != 0:
        return
    if run.known("verl:actor_rollout_ref.model.lora_adapter_path") not in (None, ""):
        return
    yield run.finding(
        "layered_summon has no effect without LoRA: it collects adapters",
        (_SUMMON, "of no effect"),
        ("fact:lora_rank", "no adapter is trained"),
        changes=(change(_SUMMON, value=False, safe=True),),
    )
