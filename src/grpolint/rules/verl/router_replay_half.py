"""Router replay of which the trainer and the rollout engine know different halves.

## What it checks
`router_replay.mode` is R3 while `rollout.enable_rollout_routing_replay` is off, or R2 while it is on; or it is on
without a mode.

## Why it matters
R3 repeats the routes of the rollout engine, which returns them only with the switch: the first update finds none. R2
records routes of its own: with both, the trainer raises ValueError after the first rollout. Without a mode the engine
returns routes that nobody repeats.

## Example
    actor_rollout_ref.actor.megatron.router_replay.mode=R3

## Instead
    actor_rollout_ref.actor.megatron.router_replay.mode=R3
    actor_rollout_ref.rollout.enable_rollout_routing_replay=True

## Fix safety
Safe where the run does not get past its first step.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_SWITCH = "actor_rollout_ref.rollout.enable_rollout_routing_replay"


@rule(
    id="VE085",
    name="router-replay-half",
    summary="router replay is configured on one side only",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7.1"},
    evidence=(
        Evidence(
            "verl 0.8.0: verl/trainer/ppo/ray_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/trainer/ppo/ray_trainer.py",
            "Raises ValueError if the rollout and the old log-probabilities both bring routes.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/engine/megatron/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/megatron/transformer_impl.py",
            "A replaying micro batch without routes raises RuntimeError.",
        ),
    ),
    when={f"fact:router_replay|verl:{_SWITCH}": ("R3", True)},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the halves do not fit."""
    mode, engine = run.text("fact:router_replay"), run.flag(f"verl:{_SWITCH}")
    if engine is None:
        return
    if mode == "R3" and not engine:
        yield run.finding(
            "router replay R3 repeats the routes of the rollout engine, which does not return them",
            ("fact:router_replay", "wants routes"),
            (f"verl:{_SWITCH}", "off"),
            changes=(SetOption("verl", _SWITCH, value=True, safe=True),),
        )
    elif mode in ("R2", "off") and engine:
        if mode == "off" and any(each.key.endswith("router_replay.mode") for each in run.run.settings["verl"]):
            return  # another engine's, or that of another release
        said = "R2 records its own routes" if mode == "R2" else "no router replay is configured"
        yield run.finding(
            f"the rollout engine returns its routes, and {said}: they are for R3",
            (f"verl:{_SWITCH}", "returns routes"),
            ("fact:router_replay", "does not repeat them"),
            help="set router_replay.mode=R3, or leave enable_rollout_routing_replay off",
            severity=None
            if mode == "R2" and satisfies(run.run.settings["verl"].version.text, "<0.9")
            else Severity.WARNING,
        )
