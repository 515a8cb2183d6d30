"""A model that nobody named.

## What it checks
No `actor_rollout_ref.model.path`; or a critic is trained, options of `critic` are given, and `critic.model.path` is
not.

## Why it matters
The default is a folder in the home directory, `~/models/deepseek-llm-7b-chat`. It is hardly there, and where it is,
it is hardly the model that was meant: the critic would have another tokenizer than the policy.

## Example
    algorithm.adv_estimator=gae actor_rollout_ref.model.path=Qwen/Qwen2.5-3B critic.optim.lr=1e-5

## Instead
    algorithm.adv_estimator=gae actor_rollout_ref.model.path=Qwen/Qwen2.5-3B critic.optim.lr=1e-5 critic.model.path=Qwen/Qwen2.5-3B

## Fix safety
Unsafe: a model is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.values import Default

_POLICY = "actor_rollout_ref.model.path"
_CRITIC = "critic.model.path"


@rule(
    id="VE101",
    name="model-by-default",
    summary="the policy or the critic is the model of verl's default configuration",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"verl": ">=0.3"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/config/model/hf_model.yaml",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/config/model/hf_model.yaml",
            "The default path, of the policy and of the critic, is a folder under ~/models.",
        ),
        Evidence(
            "verl 0.4.1: verl/trainer/config/ppo_trainer.yaml",
            "https://github.com/verl-project/verl/blob/v0.4.1/verl/trainer/config/ppo_trainer.yaml",
            "The same.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each model that a default decides."""
    settings = run.run.settings["verl"]
    launch = run.run.launch
    if launch is None or settings.open_reason is not None or launch.slips or run.run.complaints:
        return  # what is missing may be among the options that never arrive
    policy = run.ask(f"verl:{_POLICY}")
    if isinstance(policy, Default):
        message = f"actor_rollout_ref.model.path is not set: verl trains {policy.value}"
        yield run.finding(message, f"verl:{_POLICY}", help=f"set {_POLICY}")
        return
    critic = run.ask(f"verl:{_CRITIC}")
    if not isinstance(critic, Default) or not any(each.key.startswith("critic.") for each in settings):
        return
    if run.known("fact:uses_critic") is True:
        path = run.text(f"verl:{_POLICY}")
        yield run.finding(
            f"critic.model.path is not set: the critic is {critic.value}, the policy {path}",
            (f"verl:{_POLICY}", "the policy"),
            f"verl:{_CRITIC}",
            changes=(SetOption("verl", _CRITIC, path),),
        )
