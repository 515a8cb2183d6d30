"""A reward model that is switched on and has no path.

## What it checks
`reward_model.enable` (`reward.reward_model.enable` since 0.7.1) while the path of the model is not set.

## Why it matters
Since 0.7.1 the path is null and the engine for it has nothing to load. Before, the default is a folder in the home
directory of verl's authors' examples, `~/models/FsfairX-LLaMA3-RM-v0.1`, which is hardly there.

## Example
    reward.reward_model.enable=True

## Instead
    reward.reward_model.enable=True reward.reward_model.model_path=Skywork/Skywork-Reward-V2-Llama-3.1-8B

## Fix safety
None is offered: only you know the model.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_WHERE = (
    ("reward.reward_model.enable", "reward.reward_model.model_path"),
    ("reward_model.enable", "reward_model.model.path"),
)


@rule(
    id="VE060",
    name="reward-model-missing",
    summary="a reward model is switched on and not named",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/config/reward/reward.yaml",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/config/reward/reward.yaml",
            "model_path is null by default.",
        ),
        Evidence(
            "verl 0.6.1: verl/trainer/config/reward_model/reward_model.yaml",
            "https://github.com/verl-project/verl/blob/v0.6.1/verl/trainer/config/reward_model/reward_model.yaml",
            "The default path is a folder under ~/models.",
        ),
    ),
    when={"|".join(f"verl:{switch}" for switch, _ in _WHERE): SET},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each switched on section without a model."""
    for switch, path in _WHERE:
        if not run.is_set(f"verl:{switch}") or run.flag(f"verl:{switch}") is not True:
            continue
        paths = (path, "reward.reward_model.model_path")
        if run.run.launch is None or any(run.is_set(f"verl:{key}") for key in paths) or run.known(f"verl:{path}") == "":
            continue
        model = run.known(f"verl:{path}")
        default = f" by default {model}" if model else " null by default"
        yield run.finding(
            f"{switch} is on and {path} is not set: it is{default}",
            (f"verl:{switch}", "needs a model"),
            help=f"set {path}, or a custom_reward_function with the switch off",
        )
