"""Megatron without the bridge that its engine needs.

## What it checks
`actor.megatron.use_mbridge` is off (also of the reference or the critic) with the workers over engines: always since
verl 0.8, in 0.7 where they are asked for.

## Why it matters
The Megatron engine converts weights through the bridge only and asserts that it is on.

## Example
    actor_rollout_ref.actor.megatron.use_mbridge=False

## Instead
    actor_rollout_ref.actor.megatron.use_mbridge=True

## Fix safety
Safe: the run does not start otherwise. Weights in Megatron's own format have to be converted first.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Undecided, rule
from grpolint.rules.verl._trainer import engine_workers, ppo_trainer


@rule(
    id="VE095",
    name="bridge-switched-off",
    summary="use_mbridge=False with the workers that need it",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine/megatron/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/megatron/transformer_impl.py",
            "The engine asserts use_mbridge when it is made.",
        ),
        Evidence(
            "verl 0.8.0: verl/workers/engine/megatron/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/workers/engine/megatron/transformer_impl.py",
            "The same.",
        ),
    ),
    when={
        "|".join(
            f"verl:{role}.megatron.use_mbridge"
            for role in ("actor_rollout_ref.actor", "actor_rollout_ref.ref", "critic")
        ): False
    },
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each engine without the bridge."""
    for role in ("actor_rollout_ref.actor", "actor_rollout_ref.ref", "critic"):
        key = f"{role}.megatron.use_mbridge"
        if not run.is_set(f"verl:{key}") or run.flag(f"verl:{key}") is not False:
            continue
        if role == "critic" and run.known("fact:uses_critic") is not True:
            continue
        if run.run.launch is None or run.text("fact:engine") != "megatron":
            continue
        if run.run.settings["verl"].version.assumed:
            raise Undecided("version:verl")  # it was the default before 0.7
        if engine_workers(run):
            yield run.finding(
                f"{key} is off: the Megatron engine of verl asserts that the bridge is on",
                (f"verl:{key}", "no bridge"),
                changes=(SetOption("verl", key, value=True, safe=True),),
            )
