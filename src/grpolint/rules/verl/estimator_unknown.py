"""An advantage estimator that is misspelled, or is the name of another part of an algorithm.

## What it checks
`algorithm.adv_estimator` is another spelling of one of verl's estimators, or the name of a method that is something
else in verl: of a loss, a recipe or an option. Other names are left alone: projects register their own.

## Why it matters
verl compares the name with its registry letter by letter and raises ValueError at the first step, after a whole
rollout.

## Example
    algorithm.adv_estimator=GRPO

## Instead
    algorithm.adv_estimator=grpo

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

_OUTCOME = "verl raises an error at the first step"
_SINCE = {
    **dict.fromkeys(("gae", "grpo", "reinforce_plus_plus", "reinforce_plus_plus_baseline", "remax", "rloo"), "0.3"),
    **dict.fromkeys(("opo", "grpo_passk"), "0.4"),
    "gpg": "0.5",
    **dict.fromkeys(("rloo_vectorized", "grpo_vectorized"), "0.6"),
    **dict.fromkeys(("optimal_token_baseline", "tir_optimal_token_baseline", "gdpo"), "0.7.1"),
}
_MEANT = {
    "ppo": "gae is the estimator of PPO",
    "gspo": "gspo is a loss: adv_estimator=grpo with actor.policy_loss.loss_mode=gspo",
    "cispo": "cispo is a loss: adv_estimator=grpo with actor.policy_loss.loss_mode=cispo",
    "dapo": "DAPO takes adv_estimator=grpo, with its own clipping, filter and reward manager",
    "dr_grpo": "Dr. GRPO takes adv_estimator=grpo with norm_adv_by_std_in_grpo=False and loss_agg_mode=seq-mean-token-sum-norm",
    "reinforce++": "reinforce_plus_plus",
    "reinforce": "reinforce_plus_plus",
}


@rule(
    id="VE062",
    name="estimator-unknown",
    summary="adv_estimator is spelled like none of verl's estimators",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4"},
    when={"verl:algorithm.adv_estimator": SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/core_algos.py",
            "get_adv_estimator_fn raises ValueError for a name that is not registered.",
        ),
        Evidence(
            "verl 0.4.1: verl/trainer/ppo/ray_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.4.1/verl/trainer/ppo/ray_trainer.py",
            "An unknown estimator raises NotImplementedError.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for a name that no estimator has."""
    version = run.run.settings["verl"].version.text
    allowed = tuple(name for name, since in _SINCE.items() if satisfies(version, f">={since}"))
    value = run.text("verl:algorithm.adv_estimator")
    if value in _SINCE and value not in allowed:
        return
    soft = Severity.WARNING if value is not None and value.lower() in _MEANT else None
    yield from choice(run, "algorithm.adv_estimator", allowed, _OUTCOME, meant=_MEANT, severity=soft)
