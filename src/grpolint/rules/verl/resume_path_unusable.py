"""A checkpoint to resume from that is not named, or is not the folder of a step.

## What it checks
`trainer.resume_mode=resume_path` while `trainer.resume_from_path` is null, or names a folder without `global_step_`
in it.

## Why it matters
verl asserts that the path is a text that contains `global_step_`, from which it reads the number of the step: the run
stops after all models are loaded.

## Example
    trainer.resume_mode=resume_path trainer.resume_from_path=checkpoints/gsm8k/grpo

## Instead
    trainer.resume_mode=resume_path trainer.resume_from_path=checkpoints/gsm8k/grpo/global_step_100

## Fix safety
None is offered: only you know the step.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_MODE = "trainer.resume_mode"
_PATH = "trainer.resume_from_path"


@rule(
    id="VE051",
    name="resume-path-unusable",
    summary="resume_mode=resume_path without a path to a global_step_ folder",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3"},
    when={"verl:trainer.resume_mode": "resume_path"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/v1/trainer_base.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/v1/trainer_base.py",
            "_load_checkpoint asserts that resume_from_path is a text and contains global_step_.",
        ),
        Evidence(
            "verl 0.4.1: verl/trainer/ppo/ray_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.4.1/verl/trainer/ppo/ray_trainer.py",
            "The same two assertions.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the path cannot be used."""
    if run.text(f"verl:{_MODE}") != "resume_path":
        return
    path = run.known(f"verl:{_PATH}")
    if path == "":
        return  # to be filled in
    if path in (None, False):
        message = "resume_mode=resume_path needs trainer.resume_from_path, which is not set: verl stops at an assertion"
    elif "global_step_" not in str(path):
        message = f"resume_from_path {path} does not contain global_step_: verl stops at an assertion"
    else:
        return
    places = [(f"verl:{_MODE}", "asks for a path")]
    if path not in (None, False):
        places.insert(0, (f"verl:{_PATH}", "not the folder of a step"))
    yield run.finding(
        message,
        *places,
        help="name the folder of a step, as in checkpoints/project/experiment/global_step_100",
    )
