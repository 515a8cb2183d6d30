"""A mode of resuming that verl does not have.

## What it checks
`trainer.resume_mode` is something else than `auto`, `disable` or `resume_path`.

## Why it matters
verl 0.9 gets past the branches without a checkpoint folder and stops at the next line that needs it. Earlier releases
fall through as if it were `auto`, and stop in the same way where there is no checkpoint yet.

## Example
    trainer.resume_mode=never

## Instead
    trainer.resume_mode=disable

## Fix safety
Unsafe: it decides where training starts.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._choices import choice
from grpolint.rules.verl._trainer import ppo_trainer

_MEANT = {
    **dict.fromkeys(("never", "none", "false", "no", "off", "disabled", "scratch"), "disable starts anew"),
    **dict.fromkeys(("resume", "latest", "true", "yes", "enable", "last"), "auto continues from the newest checkpoint"),
    "path": "resume_path reads trainer.resume_from_path",
}


@rule(
    id="VE053",
    name="resume-mode-unknown",
    summary="resume_mode is none of auto, disable, resume_path",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3"},
    when={"verl:trainer.resume_mode": SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/v1/trainer_base.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/v1/trainer_base.py",
            "An unknown mode is logged, and the next line uses a folder that was never assigned.",
        ),
        Evidence(
            "verl 0.8.0: verl/trainer/ppo/ray_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/trainer/ppo/ray_trainer.py",
            "Only disable, auto and resume_path are compared with; the rest falls through to code that splits the found folder.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for another mode."""
    yield from choice(
        run,
        "trainer.resume_mode",
        ("auto", "disable", "resume_path"),
        "verl stops when it looks for a checkpoint and has none",
        closed=True,
        meant=_MEANT,
    )
