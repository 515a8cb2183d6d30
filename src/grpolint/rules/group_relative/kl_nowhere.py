"""A KL penalty that is asked for and applied nowhere.

## What it checks
A KL coefficient that the advantages never see: slime's `--kl-coef` with grpo, gspo or cispo, NeMo-RL's `use_kl_in_reward`
(0.7) with an estimator that leaves rewards alone, verl's `algorithm.kl_ctrl.kl_coef` while the penalty is neither in the
reward nor in the loss.

## Why it matters
The policy is not held near the reference, which nothing reports. slime and NeMo-RL evaluate the reference all the same.

## Example
    --advantage-estimator grpo --kl-coef 0.001

## Instead
    --advantage-estimator grpo --use-kl-loss --kl-loss-coef 0.001

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption, SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import foreign, ppo_trainer

_VERL = "verl:algorithm.kl_ctrl.kl_coef"
_NEMO = "nemo-rl:loss_fn.use_kl_in_reward"


@rule(
    id="GR010",
    name="kl-nowhere",
    summary="a KL penalty that is asked for and applied nowhere",
    severity=Severity.WARNING,
    frameworks={"slime": "", "nemo-rl": ">=0.7", "verl": ">=0.4"},
    when={f"slime:kl_coef|{_NEMO}|{_VERL}": SET},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/utils/ppo_utils.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/utils/ppo_utils.py",
            "get_grpo_returns takes only the shape of the KL term; the same in 0.1.0.",
        ),
        Evidence(
            "NeMo-RL 0.7.0: nemo_rl/algorithms/loss/loss_functions.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/algorithms/loss/loss_functions.py",
            "The loss drops its term where use_kl_in_reward is on, and only the estimators reinforce_plus_plus and gae add one.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/utils.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/utils.py",
            "A reference takes part only where use_kl_in_reward or use_kl_loss is on; both are off by default since 0.4.0.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the framework that leads."""
    trainer = run.run.trainer
    if trainer == "slime":
        weight, estimator = run.number("slime:kl_coef"), run.text("fact:advantage")
        if weight and estimator in ("grpo", "gspo", "cispo"):
            yield run.finding(
                f"kl_coef {weight:g} has no effect: the advantages of {estimator} leave the KL term out",
                ("slime:kl_coef", "the reference is evaluated for nothing"),
                ("fact:advantage", "the rewards of a group only"),
                changes=(
                    RemoveOption("slime", "kl_coef"),
                    SetOption("slime", "use_kl_loss", True),
                    SetOption("slime", "kl_loss_coef", weight),
                ),
            )
    elif trainer == "nemo-rl":
        weight, estimator = run.number("fact:kl_coefficient"), run.text("fact:advantage")
        if run.flag(_NEMO) is True and weight and estimator in ("grpo", "gdpo", "raw_reward"):
            yield run.finding(
                f"the KL penalty of {weight:g} is applied nowhere: {estimator} adds none to the rewards, and the loss "
                "leaves it to them",
                (_NEMO, "not in the loss"),
                ("fact:advantage", "not in the advantages"),
                changes=(SetOption("nemo-rl", "loss_fn.use_kl_in_reward", False),),
            )
    elif (
        trainer == "verl"
        and foreign(run) is None
        and run.is_set(_VERL)
        and not run.is_set("verl:algorithm.use_kl_in_reward")
    ):
        weight = run.number(_VERL)
        if weight and run.known("fact:kl_in_reward") is False and run.known("fact:kl_in_loss") is False:
            yield run.finding(
                f"kl_ctrl.kl_coef {weight:g} has no effect: the KL penalty is neither in the reward nor in the loss",
                (_VERL, "read with use_kl_in_reward only"),
                help="turn on algorithm.use_kl_in_reward or actor_rollout_ref.actor.use_kl_loss, or leave it out",
                severity=Severity.INFO,
            )
