"""Validation that samples while the rollout temperature is zero.

## What it checks
`rollout.val_kwargs.do_sample` on with `rollout.temperature` at or below 0. verl looks at the temperature of the
training rollout, not at that of the validation.

## Why it matters
The run is refused after Ray has started.

## Example
    actor_rollout_ref.rollout.temperature=0 actor_rollout_ref.rollout.val_kwargs.do_sample=True

## Instead
    actor_rollout_ref.rollout.temperature=1.0 actor_rollout_ref.rollout.val_kwargs.do_sample=True

## Fix safety
None is offered: a training rollout without temperature explores nothing, and which value is right is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule, show
from grpolint.rules.verl._trainer import ppo_trainer

_TEMPERATURE = "verl:actor_rollout_ref.rollout.temperature"
_SAMPLE = "verl:actor_rollout_ref.rollout.val_kwargs.do_sample"


@rule(
    id="VE013",
    name="validation-samples-at-temperature-zero",
    summary="val_kwargs.do_sample with rollout.temperature 0",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/utils/config.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/utils/config.py",
            "validate_config asserts that rollout.temperature is above 0 where validation samples.",
        ),
    ),
    when={"verl:actor_rollout_ref.rollout.val_kwargs.do_sample": True},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag(_SAMPLE) is not True:
        return
    temperature = run.number(_TEMPERATURE)
    if temperature is not None and temperature <= 0:
        yield run.finding(
            f"validation samples, but rollout.temperature is {show(temperature)}: verl wants it above 0",
            (_TEMPERATURE, "of the training rollout"),
            (_SAMPLE, "validation samples"),
            help="set rollout.temperature above 0, and val_kwargs.temperature for the validation",
        )
