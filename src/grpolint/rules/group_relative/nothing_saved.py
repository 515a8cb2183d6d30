"""A run that saves nothing.

## What it checks
Nobody sets `trainer.save_freq` for verl's trainer, whose default of -1 never saves, not even at the end. Trials of at most 20
steps, and runs that only validate, are left alone.

## Why it matters
The policy is gone when the program ends, and a crash in the last hour costs the whole run.

## Example
    python3 -m verl.trainer.main_ppo trainer.total_epochs=15

## Instead
    python3 -m verl.trainer.main_ppo trainer.total_epochs=15 trainer.save_freq=50

## Fix safety
Unsafe: checkpoints take room on the disk.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.verl._trainer import ppo_trainer

_SAVE = "trainer.save_freq"
_TRIAL = 20


@rule(
    id="GR026",
    name="nothing-saved",
    summary="verl's default saves no checkpoint, not even at the end",
    severity=Severity.WARNING,
    default=False,
    frameworks={"verl": ""},
    when={"fact:save_every": -1},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/v1/trainer_base.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/v1/trainer_base.py",
            "The last step is saved too, but only where save_freq is above 0; the default is -1.",
        ),
        Evidence(
            "verl 0.6.1: verl/trainer/ppo/ray_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.6.1/verl/trainer/ppo/ray_trainer.py",
            "The same.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the default decides."""
    if run.run.trainer != "verl" or run.run.launch is None or run.is_set(f"verl:{_SAVE}"):
        raise NotApplicable
    save = run.integer(f"verl:{_SAVE}")
    if save is None or save > 0 or run.known("fact:advantage") is None:
        return
    if run.flag("verl:trainer.val_only") is True:
        return
    steps = run.integer("verl:trainer.total_training_steps")
    if steps is not None and steps <= _TRIAL:
        return
    yield run.finding(
        "nothing is saved, not even the policy at the end",
        f"verl:{_SAVE}",
        changes=(SetOption("verl", _SAVE, 50),),
    )
