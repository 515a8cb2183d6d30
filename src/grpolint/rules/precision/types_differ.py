"""Two 16-bit types for one policy.

## What it checks
verl under FSDP with float16 for training and bfloat16 (the default) for the rollout engine, or the other way round.

## Why it matters
The engine rounds the weights that it gets to the other type. Training in float16 is chosen to make trainer and engine agree; with
bfloat16 in the engine the disagreement stays as it was.

## Example
    actor_rollout_ref.actor.fsdp_config.dtype=float16 actor_rollout_ref.rollout.dtype=bfloat16

## Instead
    actor_rollout_ref.actor.fsdp_config.dtype=float16 actor_rollout_ref.rollout.dtype=float16

## Fix safety
Unsafe: it changes what is sampled, to what the trainer computes.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_SHORT = {"bfloat16": "bf16", "bf16": "bf16", "float16": "fp16", "fp16": "fp16", "half": "fp16"}
_LONG = {"bf16": "bfloat16", "fp16": "float16"}


@rule(
    id="PR024",
    name="types-differ",
    summary="trainer and rollout engine compute in different 16-bit types",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.6"},
    when={"fact:rollout_dtype": (*_SHORT,), "fact:precision": ("bf16", "fp16")},
    evidence=(
        Evidence(
            "verl-project/verl#3694",
            "https://github.com/verl-project/verl/pull/3694",
            "Different types of trainer and engine are a source of the mismatch that weights have to correct.",
        ),
        Evidence(
            "arXiv 2510.26788 (training in FP16), section 3",
            "https://arxiv.org/abs/2510.26788",
            "float16 on both sides all but removes the mismatch; bfloat16 on one side keeps it.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the two differ."""
    trained, sampled = run.text("fact:precision"), _SHORT.get(str(run.text("fact:rollout_dtype")).lower())
    if trained not in ("bf16", "fp16") or sampled is None or trained == sampled:
        return
    if not str(run.text("fact:engine")).startswith("fsdp"):
        return
    yield run.finding(
        f"the policy is trained in {trained} and sampled in {sampled}: the weights are rounded on the way",
        ("fact:rollout_dtype", "of the engine"),
        ("fact:precision", "of the trainer"),
        changes=(SetOption("verl", "actor_rollout_ref.rollout.dtype", _LONG[trained]),),
    )
