"""Parameter offloading under FSDP1 on a shard group of one rank.

## What it checks
`param_offload` with strategy `fsdp` (FSDP1) where each shard group has one rank: `fsdp_size=1`, or a single GPU.

## Why it matters
PyTorch turns FSDP1 on one rank into NO_SHARD. In this form moving the flat parameter to the host frees no memory of the
device, so that the trainer still holds its weights while the rollout engine wakes up. FSDP2 frees them.

## Example
    actor_rollout_ref.actor.strategy=fsdp actor_rollout_ref.actor.fsdp_config.param_offload=True trainer.n_gpus_per_node=1

## Instead
    actor_rollout_ref.actor.strategy=fsdp2 actor_rollout_ref.actor.fsdp_config.param_offload=True trainer.n_gpus_per_node=1

## Fix safety
Unsafe: checkpoints of FSDP1 and FSDP2 differ, and the strategies of reference and critic have to follow.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_FSDP = "verl:actor_rollout_ref.actor.fsdp_config"


@rule(
    id="VE027",
    name="fsdp1-offload-on-one-rank",
    summary="param_offload with FSDP1 on one rank frees no memory",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"verl": ">=0.4"},
    when={f"{_FSDP}.param_offload": True, "fact:fsdp_version": 1},
    evidence=(
        Evidence(
            "verl-project/verl#7596",
            "https://github.com/verl-project/verl/pull/7596",
            "With fsdp_size 1 FSDP1 becomes NO_SHARD and param_offload frees nothing; a maintainer advises FSDP2 or larger groups.",
        ),
        Evidence(
            "PyTorch documentation: fully_shard",
            "https://docs.pytorch.org/docs/stable/distributed.fsdp.fully_shard.html",
            "Users of FSDP1 are advised to move to FSDP2.",
        ),
    ),
    aliases=("D06",),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where a shard group has one rank."""
    if not run.is_set(f"{_FSDP}.param_offload"):  # off by default
        return
    if run.flag(f"{_FSDP}.param_offload") is not True or run.integer("fact:fsdp_version") != 1:
        return
    size = run.integer(f"{_FSDP}.fsdp_size")
    if size != 1 and run.integer("fact:world_size") != 1:
        return
    group = (f"{_FSDP}.fsdp_size", "one rank in a shard group") if size == 1 else ("fact:world_size", "one rank")
    yield run.finding(
        "param_offload frees no device memory under FSDP1 on one rank: PyTorch does not shard there (NO_SHARD)",
        (f"{_FSDP}.param_offload", "frees nothing"),
        group,
        ("fact:fsdp_version", "FSDP1"),
        changes=(SetOption("verl", "actor_rollout_ref.actor.strategy", "fsdp2"),),
    )
