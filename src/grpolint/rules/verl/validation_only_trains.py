"""A run that is meant to validate only, and trains.

## What it checks
`trainer.val_only=True` while `trainer.val_before_train` is off.

## Why it matters
verl looks at `val_only` after the validation before training, and only there. Without that validation it goes on into
training, over the checkpoints of the experiment.

## Example
    trainer.val_only=True trainer.val_before_train=False

## Instead
    trainer.val_only=True trainer.val_before_train=True

## Fix safety
Safe: the validation is what was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import off, on, together
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="VE054",
    name="validation-only-trains",
    summary="val_only with val_before_train off trains instead of validating",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.2"},
    when={"verl:trainer.val_only": True, "verl:trainer.val_before_train": False},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/v1/trainer_base.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/v1/trainer_base.py",
            "fit returns for val_only inside the block of val_before_train.",
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
    """Yield a finding for the combination."""
    yield from together(
        run,
        "val_only is looked at after the validation before training, which is off: the run trains",
        on("verl:trainer.val_only", "meant to validate only"),
        off("verl:trainer.val_before_train", "skips the validation, and the return behind it"),
        changes=(SetOption("verl", "trainer.val_before_train", value=True, safe=True),),
    )
