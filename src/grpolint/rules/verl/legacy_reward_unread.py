"""A reward that is configured under names that nothing reads any more.

## What it checks
`custom_reward_function.*`, `reward_model.*` or `sandbox_fusion.*` with `verl.trainer.main_ppo` of verl 0.9, whose
options of the reward stand under `reward`. Without a named release the rule is undecided.

## Why it matters
The configuration still has the old names, so Hydra takes them. verl 0.7.1 and 0.8 copied them to the new ones when
they started; 0.9 does so only in the fully asynchronous program. The run scores with the default reward function
instead of yours.

## Example
    custom_reward_function.path=rewards/math.py custom_reward_function.name=score

## Instead
    reward.custom_reward_function.path=rewards/math.py reward.custom_reward_function.name=score

## Fix safety
Safe: the option gets the effect that it was written for.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RenameOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, Undecided, rule
from grpolint.rules.verl._trainer import foreign

_OLD = ("custom_reward_function.", "reward_model.", "sandbox_fusion.")
_NEW = {
    "reward_model.reward_manager": "reward.reward_manager.name",
    "reward_model.num_workers": "reward.num_workers",
    "reward_model.model.path": "reward.reward_model.model_path",
    "reward_model.enable": "reward.reward_model.enable",
    "reward_model.enable_resource_pool": "reward.reward_model.enable_resource_pool",
    "reward_model.n_gpus_per_node": "reward.reward_model.n_gpus_per_node",
    "reward_model.nnodes": "reward.reward_model.nnodes",
}


def _renamed(key: str) -> str | None:
    if key.startswith(("custom_reward_function.", "sandbox_fusion.", "reward_model.rollout.")):
        return f"reward.{key}"
    return _NEW.get(key)


@rule(
    id="VE055",
    name="legacy-reward-unread",
    summary="options of the reward under their old names are not read since verl 0.9",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.9"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/main_ppo.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/main_ppo.py",
            "main validates and starts without the copy of the old options to the new names.",
        ),
        Evidence(
            "verl 0.8.0: verl/trainer/main_ppo.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/trainer/main_ppo.py",
            "main calls migrate_legacy_reward_impl first.",
        ),
        Evidence(
            "verl 0.9.1: verl/experimental/reward_loop/reward_loop.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/experimental/reward_loop/reward_loop.py",
            "migrate_legacy_reward_impl says which new name each old one has.",
        ),
    ),
    when={"verl:custom_reward_function.*|verl:reward_model.*|verl:sandbox_fusion.*": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each old section that is set."""
    settings = run.run.settings["verl"]
    old = [each for each in settings if each.key.startswith(_OLD) and each.span is not None]
    old = [each for each in old if run.known(f"verl:{each.key}") is not None]
    if not old or foreign(run) is not None or "fully_async" in run.run.program:
        return
    if settings.version.assumed:
        raise Undecided("version:verl")
    for section in _OLD:
        keys = [each.key for each in old if each.key.startswith(section)]
        if not keys:
            continue
        changes = tuple(RenameOption("verl", key, new) for key in keys if (new := _renamed(key)))
        yield run.finding(
            f"{section}* is not read by main_ppo of verl {settings.version.text}: the options stand under reward",
            *((f"verl:{key}", "not read") for key in keys),
            changes=changes,
            help="" if changes else "write them under reward",
        )
