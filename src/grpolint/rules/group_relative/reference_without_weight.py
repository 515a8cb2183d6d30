"""A reference policy whose KL term weighs nothing.

## What it checks
The KL term in the loss is switched on with a coefficient of 0, in verl, rLLM over verl and SkyRL.

## Why it matters
The reference policy takes memory and a forward pass over every response, for a metric. In many scripts that is left over from
a run with another coefficient.

## Example
    actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.actor.kl_loss_coef=0.0

## Instead
    actor_rollout_ref.actor.use_kl_loss=False

## Fix safety
Unsafe: the metric of the divergence is gone.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Undecided, rule
from grpolint.rules.verl._trainer import foreign, ppo_trainer

_OPTIONS = {
    "verl": ("actor_rollout_ref.actor.use_kl_loss", "actor_rollout_ref.actor.kl_loss_coef"),
    "skyrl": ("trainer.algorithm.use_kl_loss", "trainer.algorithm.kl_loss_coef"),
}


@rule(
    id="GR011",
    name="reference-without-weight",
    summary="a reference policy is evaluated for a KL term of weight 0",
    severity=Severity.INFO,
    frameworks={"verl": ">=0.2", "skyrl": ""},
    when={f"verl:{_OPTIONS['verl'][1]}|skyrl:{_OPTIONS['skyrl'][1]}": 0},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/utils/losses.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/utils/losses.py",
            "Where use_kl_loss is on the term is computed and multiplied by kl_loss_coef, whatever that is.",
        ),
        Evidence(
            "SkyRL 0.3.0: skyrl/train/trainer.py",
            "https://github.com/NovaSky-AI/SkyRL/blob/skyrl-v0.3.0/skyrl/train/trainer.py",
            "use_kl_loss alone decides whether there is a reference model.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the term is on and weighs nothing."""
    trainer = "skyrl" if run.run.trainer == "skyrl" else "verl"
    switch, weight = _OPTIONS[trainer]
    if run.number(f"{trainer}:{weight}") != 0 or run.flag(f"{trainer}:{switch}") is not True:
        return
    if trainer == "verl" and (program := foreign(run)) is not None:
        raise Undecided(f"program:{program}")  # a loss of its own may read the reference
    if trainer == "verl" and run.flag("verl:algorithm.use_kl_in_reward") is True:
        return  # the reference serves the reward
    if trainer == "verl" and run.flag("verl:trainer.val_only") is True:
        return
    yield run.finding(
        "the reference policy is evaluated in every step for a KL term of weight 0",
        (f"{trainer}:{weight}", "no weight"),
        (f"{trainer}:{switch}", "needs a reference policy"),
        changes=(SetOption(trainer, switch, False),),
    )
