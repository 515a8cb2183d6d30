"""Optimizer options without what they need.

## What it checks
`optimizer_cpu_offload` without `use_precision_aware_optimizer` (on Megatron's command line and in slime), and the
precision-aware optimizer without the distributed optimizer or with another than Adam (also in verl's
`override_optimizer_config`).

## Why it matters
Megatron stops with an assertion when the optimizer is made.

## Example
    --use-distributed-optimizer --optimizer-cpu-offload

## Instead
    --use-distributed-optimizer --optimizer-cpu-offload --use-precision-aware-optimizer

## Fix safety
None is offered: another optimizer changes checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="MG039",
    name="optimizer-options-incomplete",
    summary="optimizer offloading needs the precision-aware optimizer, and that the distributed one",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.12", "verl": ">=0.6"},
    when={
        "|".join(
            f"{base}{key}"
            for base in ("megatron:", "verl:actor_rollout_ref.actor.optim.override_optimizer_config.")
            for key in ("use_precision_aware_optimizer", "optimizer_cpu_offload")
        ): SET,
        "fact:engine": "megatron",
    },
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts use_precision_aware_optimizer where the optimizer is offloaded.",
        ),
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/optimizer/optimizer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/optimizer/optimizer_config.py",
            "__post_init__ asserts Adam and the distributed optimizer for it.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("fact:engine") != "megatron":
        return
    verl = "megatron" not in run.run.settings
    base = "verl:actor_rollout_ref.actor.optim.override_optimizer_config." if verl else "megatron:"
    aware, offload = f"{base}use_precision_aware_optimizer", f"{base}optimizer_cpu_offload"
    sharded = (
        "verl:actor_rollout_ref.actor.megatron.use_distributed_optimizer"
        if verl
        else f"{base}use_distributed_optimizer"
    )
    if run.flag(aware) is not True:
        if not verl and run.flag(offload) is True:
            yield run.finding(
                "optimizer-cpu-offload needs use-precision-aware-optimizer: Megatron refuses it",
                (offload, "offloaded"),
                (aware, "off"),
                help="add --use-precision-aware-optimizer",
            )
        return
    if run.text("fact:optimizer") not in (None, "adam", "adamw"):
        yield run.finding(
            f"the precision-aware optimizer is Adam, and the optimizer is {run.text('fact:optimizer')}: Megatron refuses it",
            (aware, "Adam only"),
            ("fact:optimizer", ""),
            help="take use_precision_aware_optimizer out",
        )
    if run.flag(sharded) is False and run.flag("megatron:use_megatron_fsdp") is not True:
        yield run.finding(
            "the precision-aware optimizer needs the distributed optimizer: Megatron refuses it",
            (aware, "precision-aware"),
            (sharded, "off"),
            help="switch use_distributed_optimizer on",
        )
