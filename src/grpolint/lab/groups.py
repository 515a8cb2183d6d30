"""Groups of samples for one prompt: how often they teach nothing, and what their advantages are. Plain Python.

Rewards are 0 or 1 unless said otherwise; `p` is the pass rate of a prompt, `group` the samples of each prompt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = [
    "FORMULAS",
    "Formula",
    "advantages",
    "batches_suffice",
    "dead",
    "dead_beta",
    "dead_uniform",
    "generations_per_kept_group",
    "smallest_group",
]


def dead(p: float, group: int) -> float:
    """The probability that all rewards of a group are equal, so that every advantage is 0: p^G + (1-p)^G.

    From independent samples with pass rate `p`. Raises ValueError unless 0 <= p <= 1 and group >= 1.
    """
    if not 0 <= p <= 1 or group < 1:
        raise ValueError(f"pass rate {p}, group {group}")
    return min(float(p**group + (1 - p) ** group), 1.0)


def dead_uniform(group: int) -> float:
    """The mean of `dead` over pass rates spread evenly from 0 to 1: 2 / (G + 1), the integral of the formula."""
    return 2 / (group + 1)


def dead_beta(group: int, alpha: float, beta: float) -> float:
    """The mean of `dead` over pass rates of a Beta(alpha, beta) distribution.

    E[p^G] = B(alpha + G, beta) / B(alpha, beta), and the mirror image for the failures.
    """
    if group == 1:
        return 1.0

    def ratio(a: float, b: float) -> float:
        return math.exp(math.lgamma(a + group) - math.lgamma(a) + math.lgamma(a + b) - math.lgamma(a + b + group))

    return min(ratio(alpha, beta) + ratio(beta, alpha), 1.0)


def smallest_group(p: float, most: float) -> int | None:
    """The smallest group whose dead share is at most `most`; None for a prompt that always passes or always fails."""
    if not 0 < p < 1:
        return None
    high = 1
    while dead(p, high) > most:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if dead(p, middle) > most else (low, middle)
    return high


def generations_per_kept_group(group: int, dead_share: float) -> float:
    """Samples generated for each group that dynamic sampling keeps: G / (1 - dead); infinite when all are dead.

    The number of tries until the first kept group is geometric with that success probability.
    """
    return math.inf if dead_share >= 1 else group / (1 - dead_share)


def batches_suffice(prompts: int, generated: int, batches: int, dead_share: float) -> float:
    """The probability that `batches` rounds of `generated` prompts leave at least `prompts` living groups.

    The binomial tail P(X >= prompts), X ~ B(batches * generated, 1 - dead). Where they do not, verl's DAPO recipe
    stops with a ValueError (dapo_ray_trainer.py, algorithm.filter_groups.max_num_gen_batches).
    """
    tries, alive = batches * generated, 1 - dead_share
    if prompts <= 0 or (alive >= 1 and prompts <= tries):
        return 1.0
    if prompts > tries or alive <= 0:
        return 0.0

    def term(kept: int) -> float:
        ways = math.lgamma(tries + 1) - math.lgamma(kept + 1) - math.lgamma(tries - kept + 1)
        return math.exp(ways + kept * math.log(alive) + (tries - kept) * math.log1p(-alive))

    # The shorter tail is summed: the other one would be a difference of nearly equal numbers.
    if prompts > tries * alive:
        return min(math.fsum(term(kept) for kept in range(prompts, tries + 1)), 1.0)
    return max(1.0 - math.fsum(term(kept) for kept in range(prompts)), 0.0)


@dataclass(frozen=True)
class Formula:
    """How one release makes an advantage: (r - mean) / (std + eps), std with n - 1 in the denominator.

    `single` says what becomes of a group of one: `raw` keeps mean 0 and std 1, `nan` lets 0 / 0 happen, and any other
    text is the refusal that the framework raises first.
    """

    framework: str
    version: str
    eps: float
    single: str
    source: str


FORMULAS = (
    Formula("verl", "0.9.1", 1e-6, "raw", "verl/trainer/ppo/core_algos.py compute_grpo_outcome_advantage"),
    Formula("trl", "1.16.0", 1e-4, "ValueError", "trl/trainer/grpo_trainer.py, refusal in grpo_config.py"),
    Formula("slime", "0.3.1", 1e-6, "nan", "slime/ray/rollout.py _post_process_rewards"),
    Formula("openrlhf", "0.11.2", 1e-9, "AssertionError", "openrlhf experience_maker.py group_norm"),
)
"""The formulas of released sources. All take the unbiased standard deviation of torch.std."""


def advantages(formula: Formula, rewards: Sequence[float], *, std: bool) -> list[float] | str:
    """The advantages of one group, or the name of the error that the framework raises.

    `std` says whether the group's standard deviation divides: verl algorithm.norm_adv_by_std_in_grpo, TRL
    scale_rewards="group", slime without --disable-grpo-std-normalization, OpenRLHF group_norm against dr_grpo.
    """
    count = len(rewards)
    if count == 1:
        if formula.single == "raw":
            return [rewards[0] / (1 + formula.eps) if std else rewards[0]]
        if formula.single == "nan":
            # The mean is the reward itself: 0 remains, and torch.std of one value is NaN.
            return [math.nan if std else 0.0]
        return formula.single
    mean = math.fsum(rewards) / count
    if not std:
        return [reward - mean for reward in rewards]
    spread = math.sqrt(math.fsum((reward - mean) ** 2 for reward in rewards) / (count - 1))
    return [(reward - mean) / (spread + formula.eps) for reward in rewards]
