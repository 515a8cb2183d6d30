"""Facts of verl's objective: what the advantages are made of, how the loss sums, clips and penalises, how often it is stepped."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks.asking import exactly, lower, through, times
from grpolint.frameworks.verl.choosing import ACTOR, ROLLOUT, ask, first
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["OBJECTIVE"]

_AGGREGATIONS = {
    "token-mean": "token",
    "seq-mean-token-mean": "sequence",
    "seq-mean-token-sum-norm": "constant",
}
_CLIPPED = ("vanilla", "gspo")
"""Losses that clip by `clip_ratio_low` and `clip_ratio_high` and nothing else."""


def _loss(run: Run) -> Value:
    return through(lower, ask(f"{ACTOR}.policy_loss.loss_mode"))(run) or Known("vanilla", ())


def _clip(side: str) -> FactFunction:
    def fact(run: Run) -> Value | None:
        loss = _loss(run)
        if isinstance(loss, Unknown):
            return loss
        if plain(loss) not in _CLIPPED:
            return None
        return through(float, first(ask(f"{ACTOR}.clip_ratio_{side}"), ask(f"{ACTOR}.clip_ratio")))(run)

    return fact


def _kl(run: Run) -> Value | None:
    """Of the loss where it has the term, else of the reward."""
    for name, key in (("kl_in_loss", f"{ACTOR}.kl_loss_coef"), ("kl_in_reward", "algorithm.kl_ctrl.kl_coef")):
        there = run.fact(name)
        if isinstance(there, Unknown):
            return there
        if plain(there):
            return through(float, ask(key))(run)
    return None


def _scaled(run: Run) -> Value | None:
    """Only GRPO's own estimators divide; before the option they always did."""
    estimator = run.fact("advantage")
    if plain(estimator) not in ("grpo", "grpo_vectorized"):
        return estimator if isinstance(estimator, Unknown) else None
    return ask("algorithm.norm_adv_by_std_in_grpo")(run) or combine(lambda _: True, estimator)


_PASSES = through(int, ask(f"{ACTOR}.ppo_epochs"))

OBJECTIVE: Mapping[str, FactFunction] = {
    "temperature": through(float, ask(f"{ROLLOUT}.temperature")),
    "ratio_level": lambda run: combine(lambda name: "sequence" if name == "gspo" else "token", _loss(run)),
    "clip_low": _clip("low"),
    "clip_high": _clip("high"),
    "loss_aggregation": through(lambda name: _AGGREGATIONS.get(lower(name)), ask(f"{ACTOR}.loss_agg_mode")),
    "advantage_scaled": _scaled,
    "kl_coefficient": _kl,
    "entropy_coefficient": through(float, ask(f"{ACTOR}.entropy_coeff")),
    "passes_per_rollout": _PASSES,
    "updates_per_rollout": through(
        times,
        through(exactly, ask("data.train_batch_size"), ask(f"{ACTOR}.ppo_mini_batch_size")),
        _PASSES,
    ),
    "warmup_steps": through(
        lambda steps: int(steps) if int(steps) > 0 else None, ask(f"{ACTOR}.optim.lr_warmup_steps")
    ),
}
"""Facts of the RL trainers."""
