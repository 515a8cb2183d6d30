"""The metrics in a log: lines that verl, TRL, OpenRLHF, slime, Megatron and others print at every step, as series.

A line counts only in one of the forms that these programs print; numbers in prose are nobody's metrics.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grpolint.diagnose.logs import Chunk, bare
from grpolint.regex import regex

if TYPE_CHECKING:
    import re

__all__ = ["METRICS", "SAID", "Metrics", "Series"]

METRICS: dict[str, tuple[str, ...]] = {
    "loss": ("loss", "actor/pg_loss", "policy_loss", "lm loss", "train/loss", "train/pg_loss", "actor/loss"),
    "grad norm": ("grad_norm", "actor/grad_norm", "actor_grad_norm", "grad norm", "train/grad_norm"),
    "critic grad norm": ("critic/grad_norm", "critic_grad_norm"),
    "kl": ("kl", "actor/kl_loss", "kl_loss", "train/kl_loss", "actor/ppo_kl", "ppo_kl", "train/ppo_kl"),
    "entropy": ("entropy", "actor/entropy", "actor/entropy_loss", "entropy_loss", "train/entropy_loss"),
    "reward": ("reward", "critic/rewards/mean", "critic/score/mean", "rollout/raw_reward", "rollout/rewards"),
    "reward max": ("critic/rewards/max", "critic/score/max"),
    "reward min": ("critic/rewards/min", "critic/score/min"),
    "reward std": ("reward_std", "group_reward_stds"),
    "zero-variance groups": ("frac_reward_zero_std",),
    "advantage max": ("critic/advantages/max",),
    "advantage min": ("critic/advantages/min",),
    "truncated responses": (
        "response_length/clip_ratio",
        "completions/clipped_ratio",
        "response_clip_ratio",
        "rollout/truncated_ratio",
        "truncated_ratio",
    ),
    "response length": (
        "response_length/mean",
        "completions/mean_length",
        "completion_length",
        "response_length",
        "rollout/response_lengths",
    ),
    "clipped tokens": ("actor/pg_clipfrac", "clip_ratio/region_mean", "train/pg_clipfrac"),
    "probability difference": ("training/rollout_probs_diff_mean",),
    "log-probability difference": (
        "sampling/sampling_logp_difference/mean",
        "train/train_rollout_logprob_abs_diff",
        "rollout/train_rollout_logprob_abs_diff",
    ),
    "importance ratio": ("sampling/importance_sampling_ratio/mean", "rollout_corr/rollout_is_mean"),
    "token multiplicative error": ("token_mult_prob_error", "train/token_mult_prob_error"),
    "learning rate": ("learning_rate", "actor/lr", "actor_lr", "learning rate"),
    "loss scale": ("loss scale", "loss_scale"),
    "host memory": ("perf/cpu_memory_used_gb",),
    "device memory": ("perf/max_memory_allocated_gb",),
    "skipped iterations": ("number of skipped iterations",),
    "nan iterations": ("number of nan iterations",),
    "load balancing loss": ("load_balancing_loss", "aux_loss", "train/load_balancing_loss"),
}
"""Each metric with its names in the frameworks' logs."""

SAID: dict[str, tuple[str, ...]] = {
    "grad norm": ("grad norm", "gradient norm", "grad_norm", "gnorm"),
    "loss": ("loss", "policy loss", "actor loss", "pg loss", "training loss"),
    "kl": ("kl", "kl divergence", "kl loss", "ppo kl", "approx kl"),
    "entropy": ("entropy", "policy entropy", "actor entropy"),
    "reward": ("reward", "mean reward", "score", "rewards"),
    "reward std": ("reward std", "reward_std", "std of the reward", "reward standard deviation", "group std"),
    "zero-variance groups": ("frac_reward_zero_std", "zero std share", "zero variance share", "dead groups"),
    "truncated responses": (
        "clip ratio of responses",
        "response clip ratio",
        "clipped ratio",
        "clipped_ratio",
        "truncated ratio",
        "truncation ratio",
    ),
    "clipped tokens": ("clip fraction", "clipfrac", "pg_clipfrac", "clip frac"),
    "probability difference": ("rollout_probs_diff_mean", "rollout probs diff", "probs diff"),
    "importance ratio": ("importance ratio", "importance sampling ratio", "is ratio"),
    "token multiplicative error": ("token_mult_prob_error", "token mult prob error"),
    "learning rate": ("learning rate", "lr"),
    "loss scale": ("loss scale", "loss_scale"),
}
"""How people call the metrics that they put numbers to."""

_OF = {name: metric for metric, names in METRICS.items() for name in names}

_FORM = regex(
    r"step[: ]\s?(?P<verl>\d{1,12}) - "
    r"|.{0,80}?iteration\s{1,8}(?P<megatron>\d{1,12})/\s{0,8}\d{1,12} \|"
    r"|.{0,200}?(?:Global step|step|rollout)[: ]\s?(?P<step>\d{1,12}): ?\{"  # OpenRLHF, slime
    r"|.{0,400}?\{['\"][\w/@.\- ]{1,80}['\"]: "  # Trainer, JSON lines
)
_QUOTED = regex(r"['\"]([\w/@.\- ]{1,80})['\"]: ([^,}\s]{1,60})")
_STEP = regex(r"['\"](?:step|global_step|train/step|training/global_step)['\"]: ['\"]?(\d{1,12})")
_TRIGGERS = (
    b"step:",
    b"grad_norm",
    b"grad norm:",
    b"'loss':",
    b'"loss":',
    b"policy_loss",
    b"pg_loss",
    b"lm loss:",
    b"'reward':",
    b'"reward":',
    b"raw_reward",
)
LONGEST = 20_000
"""Characters of a line up to which it is read as metrics; no program prints so many at a step."""

MOST = 100_000
"""Values of one metric that are kept."""


class Series:
    """The values of one metric in their order, each with its line and step (-1 where the line names none)."""

    __slots__ = ("lines", "name", "steps", "values")

    def __init__(self, name: str) -> None:
        self.name = name
        """The name under which the log prints it."""
        self.values = array("d")
        self.lines = array("q")
        self.steps = array("q")

    def __len__(self) -> int:
        return len(self.values)

    def at(self, index: int) -> str:
        """Where a value stands: `step 12`, or `entry 3` where no step is printed."""
        return f"step {self.steps[index]}" if self.steps[index] >= 0 else f"entry {index + 1}"


class Metrics:
    """Collects the series of one log. The first name under which a metric appears is the one that is followed."""

    def __init__(self) -> None:
        self.series: dict[str, Series] = {}
        self.texts: dict[int, str] = {}

    def feed(self, chunk: Chunk) -> None:
        """Read the metrics of one chunk."""
        data = chunk.data
        starts: set[int] = set()
        for trigger in _TRIGGERS:
            at = data.find(trigger)
            while at >= 0:
                starts.add(data.rfind(b"\n", 0, at) + 1)
                end = data.find(b"\n", at)
                at = data.find(trigger, end) if end >= 0 else -1
        counted, line = 0, chunk.line
        for start in sorted(starts):
            line += data.count(b"\n", counted, start)
            counted = start
            end = data.find(b"\n", start)
            raw = data[start : end if end >= 0 else len(data)]
            if len(raw) <= LONGEST:
                for part in raw.split(b"\r"):
                    self.read(part.decode("utf-8", "replace"), line)

    def read(self, text: str, line: int) -> bool:
        """Read one line; whether it holds metrics."""
        text = bare(text)
        form = _FORM.match(text)
        if form is None:
            return False
        step = next((int(each) for each in form.groups() if each), -1)
        if step < 0 and (inside := _STEP.search(text)) is not None:
            step = int(inside.group(1))
        found = False
        for name, number in _pairs(text, form):
            metric = _OF.get(name)
            value = _value(number) if metric is not None else None
            if metric is None or value is None or (metric == "learning rate" and number == "0.000"):
                continue  # older verl rounds the rate to three places: 1e-6 reads 0.000
            series = self.series.setdefault(metric, Series(name))
            if series.name == name and len(series) < MOST:
                series.values.append(value)
                series.lines.append(line)
                series.steps.append(step)
                found = True
        return found


def _pairs(text: str, form: re.Match[str]) -> Iterator[tuple[str, str]]:
    """The names of a line of metrics, each with its value as written."""
    separator = " - " if form["verl"] else "|" if form["megatron"] else ""
    if separator:
        for part in text[form.end() :].split(separator):
            name, colon, number = part.rpartition(":")
            if colon:
                yield name.strip(), number.strip().partition(" ")[0]
    else:
        for pair in _QUOTED.finditer(text, max(form.end() - 100, 0)):
            yield pair[1], pair[2]


def _value(text: str) -> float | None:
    """The number that a program prints as `1.2`, `'1.2'`, `np.float64(1.2)` or `nan`."""
    text = text.strip("'\"")
    if text.endswith(")"):
        text = text[text.find("(") + 1 : -1]
    try:
        return float(text)
    except ValueError:
        return None
