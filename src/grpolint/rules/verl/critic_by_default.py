"""A critic that is trained because nobody chose an estimator.

## What it checks
`algorithm.adv_estimator` is written nowhere, so that verl's default `gae` trains a critic, and the launch says nothing of a
critic either: no option of `critic` is set.

## Why it matters
A second model of the policy's size is loaded and trained, with the default critic model and optimizer. It doubles what the
trainer needs in memory. Clipping the loss has no part in that: it needs no memory.

## Example
    python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=Qwen/Qwen3-8B actor_rollout_ref.rollout.n=8

## Instead
    python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.model.path=Qwen/Qwen3-8B

## Fix safety
Unsafe: it changes the algorithm.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.values import Default

_ESTIMATOR = "algorithm.adv_estimator"


@rule(
    id="VE031",
    name="critic-by-default",
    summary="the default estimator gae trains a critic that nothing else mentions",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"verl": ">=0.3"},
    when={"fact:uses_critic": True},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/utils.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/utils.py",
            "need_critic is true for adv_estimator gae, which is the default, unless critic.enable says otherwise.",
        ),
    ),
    aliases=("N08",),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if a default alone asks for the critic."""
    if not isinstance(run.ask(f"verl:{_ESTIMATOR}"), Default) or run.known("fact:uses_critic") is not True:
        return
    settings = run.run.settings["verl"]
    if run.run.launch is None or settings.open_reason is not None:
        return
    if any(setting.key.startswith("critic.") for setting in settings):
        return
    yield run.finding(
        "a critic is trained beside the policy: adv_estimator is not set, and the default gae needs one",
        f"verl:{_ESTIMATOR}",
        changes=(SetOption("verl", _ESTIMATOR, "grpo"),),
    )
