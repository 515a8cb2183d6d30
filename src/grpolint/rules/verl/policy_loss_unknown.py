"""A loss that is misspelled, or is the name of an estimator.

## What it checks
`actor.policy_loss.loss_mode` is another spelling of one of verl's losses, or a name that is something else in verl.
Other names are left alone: projects register their own. `dro` needs `dro_beta`.

## Why it matters
verl looks the name up in its registry letter by letter and raises ValueError in the first update, after a whole
rollout.

## Example
    actor_rollout_ref.actor.policy_loss.loss_mode=GSPO

## Instead
    actor_rollout_ref.actor.policy_loss.loss_mode=gspo

## Fix safety
Unsafe: it decides what is trained.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._choices import choice
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_MODE = "actor_rollout_ref.actor.policy_loss.loss_mode"
_BETA = "actor_rollout_ref.actor.policy_loss.dro_beta"
_SINCE = {
    **dict.fromkeys(("vanilla", "gspo", "gpg", "clip_cov", "kl_cov", "geo_mean"), "0.6"),
    **dict.fromkeys(("sapo", "cispo", "bypass_mode"), "0.7"),
    **dict.fromkeys(("dppo_tv", "dppo_kl"), "0.7.1"),
    "dro": "0.9",
}
_MEANT = {
    "ppo": "vanilla is PPO's clipped loss",
    "grpo": "vanilla: GRPO is an estimator, algorithm.adv_estimator=grpo",
    "gmpo": "geo_mean is the loss of GMPO",
}


@rule(
    id="VE063",
    name="policy-loss-unknown",
    summary="policy_loss.loss_mode is spelled like none of verl's losses",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.6"},
    when={"verl:actor_rollout_ref.actor.policy_loss.loss_mode": SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/core_algos.py",
            "get_policy_loss_fn raises ValueError for a loss that is not registered.",
        ),
        Evidence(
            "verl 0.5.0: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.5.0/verl/trainer/ppo/core_algos.py",
            "The same, with fewer losses.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for a name that no loss has."""
    version = run.run.settings["verl"].version.text
    allowed = tuple(name for name, since in _SINCE.items() if satisfies(version, f">={since}"))
    value = run.text(f"verl:{_MODE}")
    if value == "dro" and "dro" in allowed and run.known(f"verl:{_BETA}") is None:
        message = "loss_mode dro needs policy_loss.dro_beta, which is null"
        yield run.finding(message, (f"verl:{_MODE}", "needs dro_beta"), f"verl:{_BETA}", help=f"set {_BETA}")
    if value in _SINCE and value not in allowed:
        return
    yield from choice(run, _MODE, allowed, "verl raises ValueError in the first update", meant=_MEANT)
