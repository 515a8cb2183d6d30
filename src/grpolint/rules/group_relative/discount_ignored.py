"""A discount that the advantage does not have.

## What it checks
`gamma` or `lam` other than 1 with an estimator that does not read it, in verl, EasyR1, SkyRL, OpenRLHF and slime: `lam` is
read by GAE only, `gamma` by GAE and REINFORCE++.

## Why it matters
The advantage of GRPO, RLOO and their kin is one number for a whole response. What is written has no effect; OpenRLHF sets
`gamma` back to 1 with a warning.

## Example
    algorithm.adv_estimator=grpo algorithm.lam=0.95

## Instead
    algorithm.adv_estimator=grpo

## Fix safety
Safe: it is not read.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_WHERE = {
    "verl": ("algorithm.gamma", "algorithm.lam"),
    "easyr1": ("algorithm.gamma", "algorithm.lam"),
    "skyrl": ("trainer.algorithm.gamma", "trainer.algorithm.lambd"),
    "openrlhf": ("algo.advantage.gamma", "algo.advantage.lambd"),
    "slime": ("gamma", "lambd"),
}
_ALONG_TIME = ("reinforce_plus_plus", "reinforce++", "reinforce")
"""Estimators that discount along the tokens of a response, without a lambda."""
_WHOLE = (
    *("grpo", "grpo_passk", "grpo_vectorized", "gdpo", "gpg", "opo", "remax", "rloo", "rloo_vectorized", "maxrl"),
    *("reinforce_plus_plus_baseline", "reinforce_baseline", "group_norm", "dr_grpo", "gspo", "cispo"),
)
"""Estimators that give a whole response one number."""


@rule(
    id="GR019",
    name="discount-ignored",
    summary="gamma or lambda with an estimator that does not read it",
    severity=Severity.INFO,
    frameworks=dict.fromkeys(_WHERE, ""),
    when={"|".join(f"{name}:{key}" for name, keys in _WHERE.items() for key in keys): SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/core_algos.py",
            "gamma and lam are arguments of GAE, gamma of REINFORCE++; no other estimator reads them.",
        ),
        Evidence(
            "OpenRLHF 0.11.2: openrlhf/trainer/ppo_utils/experience_maker.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.2/openrlhf/trainer/ppo_utils/experience_maker.py",
            "Sets gamma to 1 with a warning for estimators other than gae and reinforce.",
        ),
        Evidence(
            "slime 0.3.1: slime/backends/megatron_utils/loss.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/backends/megatron_utils/loss.py",
            "gamma is handed to ppo and reinforce_plus_plus, lambd to ppo.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each that is written and not read."""
    trainer = run.run.trainer
    for name, key in zip(("gamma", "lambda"), _WHERE.get(trainer, ()), strict=False):
        ref = f"{trainer}:{key}"
        value = run.number(ref) if run.run.value(trainer, key) is not None else None
        if value is None or value == 1 or not run.is_set(ref):
            continue
        estimator = run.text("fact:advantage")
        if estimator in _WHOLE or (name == "lambda" and estimator in _ALONG_TIME):
            yield run.finding(
                f"{name} {value:g} has no effect: {estimator} does not read it",
                (ref, "not read"),
                ("fact:advantage", "one number for a response" if estimator in _WHOLE else "has no lambda"),
                changes=(RemoveOption(trainer, key, safe=True),),
            )
