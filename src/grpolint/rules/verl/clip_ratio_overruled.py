"""A clip range that two other options overrule.

## What it checks
`actor.clip_ratio` is set to another value than `clip_ratio_low` and `clip_ratio_high`, which are left at their
default of 0.2.

## Why it matters
verl takes clip_ratio only where the two others are null. They are 0.2 by default since 0.4, so the written range has
no effect with the losses vanilla, gspo and the others that clip the ratio.

## Example
    actor_rollout_ref.actor.clip_ratio=0.1

## Instead
    actor_rollout_ref.actor.clip_ratio_low=0.1 actor_rollout_ref.actor.clip_ratio_high=0.1

## Fix safety
Unsafe: it changes the updates.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_CLIP = "actor_rollout_ref.actor.clip_ratio"
_SIDES = ("_low", "_high")


@rule(
    id="VE066",
    name="clip-ratio-overruled",
    summary="clip_ratio is overruled by clip_ratio_low and clip_ratio_high",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.4"},
    when={"verl:actor_rollout_ref.actor.clip_ratio": SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/core_algos.py",
            "The losses take clip_ratio_low and clip_ratio_high where they are not null, and clip_ratio else.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/config/actor/actor.yaml",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/config/actor/actor.yaml",
            "Both sides are 0.2 by default.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the range that is written does not clip."""
    given = run.setting(f"verl:{_CLIP}")
    sides = [run.setting(f"verl:{_CLIP}{side}") for side in _SIDES]
    if given is None or given.form == "yaml" or any(side is not None and side.form != "yaml" for side in sides):
        return  # a base configuration has all three
    written = run.number(f"verl:{_CLIP}")
    low, high = (run.number(f"verl:{_CLIP}{side}") for side in _SIDES)
    if written is None or low is None or high is None or written == low == high:
        return
    yield run.finding(
        f"clip_ratio {written:g} has no effect: clip_ratio_low {low:g} and clip_ratio_high {high:g} clip instead",
        (f"verl:{_CLIP}", "overruled"),
        *(f"verl:{_CLIP}{side}" for side in _SIDES),
        changes=tuple(SetOption("verl", f"{_CLIP}{side}", written) for side in _SIDES),
    )
