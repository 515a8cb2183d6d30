"""What the series of metrics show: for each signal the symptom, and the numbers that make it.

The limits are conventions, chosen so that healthy runs of every framework stay below them; each message shows the number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from statistics import median

from grpolint.diagnose.metrics import Series
from grpolint.records import Record

__all__ = ["ALARMS", "SIGNALS", "Found", "found"]


class Found(Record):
    """A signal in a log: the symptom's id, one sentence with the numbers, and the line of the value that shows it."""

    symptom: str
    text: str
    line: int


ALARMS: dict[str, tuple[tuple[str, Callable[[float], bool]], ...]] = {
    "loss": (("nan_loss", lambda x: not math.isfinite(x)), ("loss_zero", lambda x: x == 0)),
    "grad norm": (
        ("grad_norm_nan", lambda x: not math.isfinite(x)),
        ("grad_norm_zero", lambda x: x == 0),
        ("grad_norm_huge", lambda x: x > 1e6),
        ("grad_norm_spikes", lambda x: x > 100),
    ),
    "kl": (("kl_nan", math.isnan), ("kl_explodes", lambda x: x > 10), ("kl_zero", lambda x: x == 0)),
    "entropy": (
        ("nan_loss", math.isnan),
        ("entropy_collapse", lambda x: x < 0.05),
        ("entropy_explodes", lambda x: x > 2),
    ),
    "reward": (("reward_nan", math.isnan), ("reward_zero", lambda x: x == 0)),
    "reward std": (("reward_nan", math.isnan), ("zero_advantage", lambda x: x == 0)),
    "zero-variance groups": (("zero_advantage", lambda x: x >= 0.8),),
    "truncated responses": (("responses_truncated", lambda x: x >= 0.5),),
    "clipped tokens": (("clip_fraction_high", lambda x: x > 0.5),),
    "probability difference": (("rollout_mismatch", lambda x: x > 0.02),),
    "importance ratio": (("rollout_mismatch", lambda x: abs(x - 1) > 0.05),),
    "token multiplicative error": (("rollout_mismatch", lambda x: x > 1.05),),
    "learning rate": (("learning_rate_zero", lambda x: x == 0),),
    "loss scale": (("loss_scale_minimum", lambda x: x <= 1),),
}
"""For a number that somebody states: the first alarm of its metric that it sets off decides the symptom."""


def found(series: Mapping[str, Series]) -> Iterator[Found]:
    """Every signal in the series of a log."""
    for signal in SIGNALS:
        yield from signal(series)


def _first(symptom: str, series: Series | None, test: Callable[[float], bool], what: str) -> Iterator[Found]:
    """The first value that passes a test, and how many do."""
    if series is None:
        return
    places = [index for index, value in enumerate(series.values) if test(value)]
    if places:
        first = places[0]
        share = f"{len(places)} of {len(series)} steps" if len(series) > 1 else "the only step"
        text = f"{series.name} is {_number(series.values[first])} at {series.at(first)}{what} ({share})"
        yield Found(symptom, text, series.lines[first])


def _not_finite(series: Mapping[str, Series]) -> Iterator[Found]:
    for symptom, name, test in (
        ("nan_loss", "loss", lambda x: not math.isfinite(x)),
        ("grad_norm_nan", "grad norm", lambda x: not math.isfinite(x)),
        ("grad_norm_nan", "critic grad norm", lambda x: not math.isfinite(x)),
        ("kl_nan", "kl", lambda x: not math.isfinite(x)),
        ("reward_nan", "reward", math.isnan),
    ):
        of = series.get(name)
        yield from _first(symptom, of, test, "")
        if of is not None and symptom == "nan_loss" and len(of) and not math.isfinite(of.values[0]):
            yield Found("nan_first_step", f"{of.name} is {_number(of.values[0])} from {of.at(0)} on", of.lines[0])


def _gradients(series: Mapping[str, Series]) -> Iterator[Found]:
    norm = series.get("grad norm")
    if norm is None:
        return
    yield from _first("grad_norm_huge", norm, lambda x: math.isfinite(x) and x > 1e6, ", above 1e6")
    finite = [value for value in norm.values if math.isfinite(value)]
    if len(finite) >= 10:
        usual = median(finite)
        limit = max(100 * usual, 100.0)
        if usual > 0 and max(finite) <= 1e6:
            what = f", the median being {_number(usual)}"
            yield from _first("grad_norm_spikes", norm, lambda x: math.isfinite(x) and x > limit, what)
    zeros = sum(value == 0 for value in finite)
    if len(finite) >= 5 and zeros >= len(finite) / 2:
        yield from _first("grad_norm_zero", norm, lambda x: x == 0, "")


def _loss(series: Mapping[str, Series]) -> Iterator[Found]:
    loss, norm = series.get("loss"), series.get("grad norm")
    if loss is None or len(loss) < 5 or any(loss.values[index] != 0 for index in range(len(loss))):
        return
    if norm is not None and any(value > 0 for value in norm.values):
        yield Found("loss_zero", f"{loss.name} is 0 at all {len(loss)} steps while {norm.name} is not", loss.lines[0])


def _policy(series: Mapping[str, Series]) -> Iterator[Found]:
    yield from _first("kl_explodes", series.get("kl"), lambda x: math.isfinite(x) and x > 10, ", above 10")
    entropy = series.get("entropy")
    if entropy is not None and len(entropy) >= 10:
        early, late = _ends(entropy)
        text = f"{entropy.name} goes from {_number(early)} to {_number(late)} in {len(entropy)} steps"
        if early > 0.05 and late < 0.05 and late < early / 5:
            yield Found("entropy_collapse", text, entropy.lines[len(entropy) - 1])
        if late > 2 and late > 3 * early:
            yield Found("entropy_explodes", text, entropy.lines[len(entropy) - 1])
    yield from _usual("clip_fraction_high", series.get("clipped tokens"), lambda x: x > 0.5)
    rate = series.get("learning rate")
    if rate is not None and len(rate) >= 5 and not any(rate.values):
        yield Found("learning_rate_zero", f"{rate.name} is 0 at all {len(rate)} steps", rate.lines[0])


def _rewards(series: Mapping[str, Series]) -> Iterator[Found]:
    yield from _usual("zero_advantage", series.get("zero-variance groups"), lambda x: x >= 0.8)
    std = series.get("reward std")
    if std is not None and len(std) >= 3:
        zeros = sum(value == 0 for value in std.values)
        if zeros >= len(std) / 2:
            yield from _first("zero_advantage", std, lambda x: x == 0, "")
    for symptom, high, low in (
        ("zero_advantage", "advantage max", "advantage min"),
        ("rewards_equal", "reward max", "reward min"),
    ):
        top, bottom = series.get(high), series.get(low)
        if top is None or bottom is None or not 3 <= len(top) == len(bottom):
            continue
        same = [index for index in range(len(top)) if top.values[index] == bottom.values[index]]
        if len(same) >= len(top) / 2:
            text = (
                f"{top.name} equals {bottom.name} ({_number(top.values[same[0]])}) at {len(same)} of {len(top)} steps"
            )
            yield Found(symptom, text, top.lines[same[0]])
    reward = series.get("reward")
    if reward is None or len(reward) < 10:
        return
    finite = [value for value in reward.values if math.isfinite(value)]
    if not finite:
        return
    low_value, high_value = min(finite), max(finite)
    if high_value == 0 == low_value:
        yield Found("reward_zero", f"{reward.name} is 0 at all {len(reward)} steps", reward.lines[0])
    elif len(reward) >= 50 and high_value - low_value < 1e-6:
        text = f"{reward.name} stays at {_number(low_value)} for {len(reward)} steps"
        yield Found("reward_flat", text, reward.lines[0])
    elif len(reward) >= 20:
        best, late = max(_smooth(finite)), median(finite[-max(len(finite) // 6, 5) :])
        if best > 0.1 and late < best / 4:
            text = f"{reward.name} falls from about {_number(best)} to {_number(late)}"
            yield Found("reward_collapse", text, reward.lines[len(reward) - 1])


def _lengths(series: Mapping[str, Series]) -> Iterator[Found]:
    yield from _usual("responses_truncated", series.get("truncated responses"), lambda x: x >= 0.5)
    length = series.get("response length")
    if length is not None and len(length) >= 10:
        early, late = _ends(length)
        if early >= 20 and late < early / 5:
            text = f"{length.name} falls from {_number(early)} to {_number(late)} tokens in {len(length)} steps"
            yield Found("response_length_collapse", text, length.lines[len(length) - 1])


def _mismatch(series: Mapping[str, Series]) -> Iterator[Found]:
    yield from _usual("rollout_mismatch", series.get("probability difference"), lambda x: x > 0.02)
    yield from _usual("rollout_mismatch", series.get("importance ratio"), lambda x: abs(x - 1) > 0.05)
    yield from _usual("rollout_mismatch", series.get("token multiplicative error"), lambda x: x > 1.05)
    yield from _usual("rollout_mismatch", series.get("log-probability difference"), lambda x: x > 0.1)


def _machine(series: Mapping[str, Series]) -> Iterator[Found]:
    for symptom, name in (("host_memory_grows", "host memory"), ("device_memory_grows", "device memory")):
        memory = series.get(name)
        if memory is None or len(memory) < 20:
            continue
        bins = [median(memory.values[cut * len(memory) // 5 : (cut + 1) * len(memory) // 5]) for cut in range(5)]
        if bins[-1] > 1.3 * bins[0] and all(one < other for one, other in pairwise(bins)):
            text = f"{memory.name} grows from {_number(bins[0])} to {_number(bins[-1])} GB over {len(memory)} steps"
            yield Found(symptom, text, memory.lines[len(memory) - 1])
    scale = series.get("loss scale")
    if scale is not None and len(scale) >= 3 and scale.values[0] > 1 and scale.values[len(scale) - 1] <= 1:
        text = f"{scale.name} falls from {_number(scale.values[0])} to {_number(scale.values[len(scale) - 1])}"
        yield Found("loss_scale_minimum", text, scale.lines[len(scale) - 1])
    yield from _first("nan_loss", series.get("nan iterations"), lambda x: x > 0, "")
    skipped = series.get("skipped iterations")
    if skipped is not None and len(skipped) >= 3 and sum(value > 0 for value in skipped.values) > len(skipped) / 2:
        yield from _first("steps_skipped", skipped, lambda x: x > 0, "")


SIGNALS: tuple[Callable[[Mapping[str, Series]], Iterator[Found]], ...] = (
    _not_finite,
    _gradients,
    _loss,
    _policy,
    _rewards,
    _lengths,
    _mismatch,
    _machine,
)


def _usual(symptom: str, series: Series | None, test: Callable[[float], bool]) -> Iterator[Found]:
    """A signal where the median of the later half passes a test."""
    if series is None or len(series) < 3:
        return
    late = [value for value in series.values[len(series) // 2 :] if math.isfinite(value)]
    if late and test(median(late)):
        text = f"{series.name} is {_number(median(late))} in the median of the last {len(late)} steps"
        place = next(index for index in range(len(series) - 1, -1, -1) if math.isfinite(series.values[index]))
        yield Found(symptom, text, series.lines[place])


def _ends(series: Series) -> tuple[float, float]:
    """The medians of the first and of the last fifth; infinite values aside."""
    fifth = max(len(series) // 5, 3)
    ends = []
    for part in (series.values[:fifth], series.values[-fifth:]):
        finite = [value for value in part if math.isfinite(value)]
        ends.append(median(finite) if finite else math.nan)
    return ends[0], ends[1]


def _smooth(values: list[float]) -> list[float]:
    """Medians of five neighbours each."""
    return [median(values[cut : cut + 5]) for cut in range(0, max(len(values) - 4, 1), 5)]


def _number(value: float) -> str:
    return f"{value:.4g}"
