"""A correction between rollout and trainer that verl refuses.

## What it checks
In `algorithm.rollout_correction`: `rollout_is` is neither `token` nor `sequence`; `rollout_rs` has a part that is
none of its options (since 0.7.1); `rollout_rs` without `rollout_rs_threshold` (since 0.7.1); a threshold that is not
above 0.

## Why it matters
verl raises ValueError in the first step, after a whole rollout.

## Example
    algorithm.rollout_correction.rollout_rs=seq_mean_k1

## Instead
    algorithm.rollout_correction.rollout_rs=seq_mean_k1 algorithm.rollout_correction.rollout_rs_threshold=0.99_1.01

## Fix safety
None is offered: a threshold is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, Undecided, rule
from grpolint.rules.verl._choices import choice
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_IS = "algorithm.rollout_correction.rollout_is"
_RS = "algorithm.rollout_correction.rollout_rs"
_OPTIONS = (
    "token_k1",
    "token_k2",
    "token_k3",
    "seq_sum_k1",
    "seq_sum_k2",
    "seq_sum_k3",
    "seq_mean_k1",
    "seq_mean_k2",
    "seq_mean_k3",
    "seq_max_k2",
    "seq_max_k3",
)


@rule(
    id="VE086",
    name="correction-refused",
    summary="options of rollout_correction that verl refuses",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.6.1"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/rollout_corr_helper.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/rollout_corr_helper.py",
            "The helper raises ValueError for unknown levels and options, a missing threshold of rejection and thresholds that are not above 0.",
        ),
        Evidence(
            "verl 0.7.0: verl/trainer/ppo/rollout_corr_helper.py",
            "https://github.com/verl-project/verl/blob/v0.7.0/verl/trainer/ppo/rollout_corr_helper.py",
            "Levels of rollout_is are token and sequence.",
        ),
    ),
    when={"verl:algorithm.rollout_correction.*": SET},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each option that is refused."""
    if run.is_set(f"verl:{_IS}"):
        yield from choice(run, _IS, ("token", "sequence"), "verl raises ValueError in the first step", closed=True)
    bound = run.number(f"verl:{_IS}_threshold")
    if bound is not None and bound <= 0 and run.text(f"verl:{_IS}") is not None:
        message = f"rollout_is_threshold {bound:g} is not above 0: verl raises ValueError"
        yield run.finding(message, (f"verl:{_IS}_threshold", "not above 0"), help="2.0 is the default")
    reject, version = run.text(f"verl:{_RS}"), run.run.settings["verl"].version
    if reject is None or not satisfies(version.text, ">=0.7.1"):
        return
    if version.assumed and reject in ("token", "sequence", "geometric"):
        raise Undecided("version:verl")  # what 0.6.1 and 0.7.0 take
    wrong = [each for each in (part.strip() for part in reject.split(",")) if each and each not in _OPTIONS]
    if wrong:
        yield run.finding(
            f"rollout_rs {', '.join(wrong)} is none of {', '.join(_OPTIONS)}: verl raises ValueError",
            (f"verl:{_RS}", "not known"),
            help="write what is compared (token, seq_sum, seq_mean, seq_max) and the estimate (k1, k2, k3)",
        )
    elif run.known(f"verl:{_RS}_threshold") is None:
        yield run.finding(
            f"rollout_rs {reject} has no rollout_rs_threshold: verl raises ValueError in the first step",
            (f"verl:{_RS}", "rejects above a threshold"),
            help=f"set {_RS}_threshold",
        )
