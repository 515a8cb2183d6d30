"""A checkpoint to resume from that verl passes over.

## What it checks
`trainer.resume_from_path` names the folder of a step while `trainer.resume_mode` is `auto` (the default) or
`disable`.

## Why it matters
Only `resume_mode=resume_path` reads the path. With `auto` verl continues from the newest checkpoint of
`default_local_dir`, or starts anew if there is none; with `disable` it starts anew.

## Example
    trainer.resume_from_path=/data/checkpoints/grpo/global_step_100

## Instead
    trainer.resume_mode=resume_path trainer.resume_from_path=/data/checkpoints/grpo/global_step_100

## Fix safety
Unsafe: it changes where training starts.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_MODE = "trainer.resume_mode"
_PATH = "trainer.resume_from_path"


@rule(
    id="VE052",
    name="resume-path-ignored",
    summary="resume_from_path is set and resume_mode does not read it",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.3"},
    when={"verl:trainer.resume_from_path": SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/v1/trainer_base.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/v1/trainer_base.py",
            "_load_checkpoint reads resume_from_path only in the branch for resume_path.",
        ),
        Evidence(
            "verl 0.4.1: verl/trainer/ppo/ray_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.4.1/verl/trainer/ppo/ray_trainer.py",
            "The same.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if nothing reads the path."""
    mode, path = run.text(f"verl:{_MODE}"), run.known(f"verl:{_PATH}")
    if mode not in ("auto", "disable") or not isinstance(path, str) or "global_step" not in path:
        return  # a folder that holds no step is left over from an example
    instead = "the newest checkpoint of default_local_dir decides" if mode == "auto" else "training starts anew"
    yield run.finding(
        f"resume_from_path is not read with resume_mode={mode}: {instead}",
        (f"verl:{_PATH}", "not read"),
        (f"verl:{_MODE}", mode),
        changes=(SetOption("verl", _MODE, "resume_path"),),
    )
