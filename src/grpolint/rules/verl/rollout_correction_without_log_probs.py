"""A correction of the rollout that has nothing to correct with.

## What it checks
Importance sampling or rejection between rollout and training (`algorithm.rollout_correction.rollout_is` and
`rollout_rs`, in 0.6.0 `algorithm.rollout_is_threshold`) while `rollout.calculate_log_probs` is off, the default up to
0.8.

## Why it matters
The correction is skipped without a word wherever the batch has no log-probabilities of the rollout: the run trains
uncorrected.

## Example
    algorithm.rollout_correction.rollout_is=token

## Instead
    algorithm.rollout_correction.rollout_is=token actor_rollout_ref.rollout.calculate_log_probs=True

## Fix safety
Unsafe: the correction takes effect from then on.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_LOG_PROBS = "actor_rollout_ref.rollout.calculate_log_probs"
_SWITCHES = (
    "algorithm.rollout_correction.rollout_is",
    "algorithm.rollout_correction.rollout_rs",
    "algorithm.rollout_is_threshold",
)


@rule(
    id="VE017",
    name="rollout-correction-without-log-probs",
    summary="rollout correction needs calculate_log_probs=True",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.6"},
    evidence=(
        Evidence(
            "verl 0.8.0: verl/trainer/ppo/ray_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/trainer/ppo/ray_trainer.py",
            "The correction is applied only where rollout_log_probs is in the batch.",
        ),
        Evidence(
            "verl 0.6.0: verl/trainer/ppo/ray_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.6.0/verl/trainer/ppo/ray_trainer.py",
            "The same with the former name rollout_is_threshold.",
        ),
        Evidence(
            "verl-project/verl#6616",
            "https://github.com/verl-project/verl/pull/6616",
            "Turns calculate_log_probs on by default; first released in 0.9.0.",
        ),
    ),
    when={"|".join(f"verl:{key}" for key in _SWITCHES): SET},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    for key in _SWITCHES:
        if run.run.setting("verl", key) is None or run.known(f"verl:{key}") in (None, False):
            continue
        if (
            run.flag(f"verl:{_LOG_PROBS}") is False
            and run.flag("verl:algorithm.rollout_correction.bypass_mode") is not True
        ):
            yield run.finding(
                f"{key.removeprefix('algorithm.')} is set, but the rollout calculates no log-probabilities: nothing is corrected",
                (f"verl:{key}", "silently skipped"),
                (f"verl:{_LOG_PROBS}", "not calculated"),
                changes=(SetOption("verl", _LOG_PROBS, value=True),),
            )
            return
