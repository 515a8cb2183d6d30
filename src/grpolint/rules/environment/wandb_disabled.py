"""Weights & Biases disabled and asked for.

## What it checks
`WANDB_DISABLED=true` together with `report_to` wandb in a run of the Trainer.

## Why it matters
The Trainer counts wandb as not installed then, and the callback that `report_to` asks for raises when the trainer is made.
transformers 5 no longer reads the variable, so that the run is logged although it is meant not to be.

## Example
    export WANDB_DISABLED=true
    accelerate launch grpo.py --report_to wandb

## Instead
    accelerate launch grpo.py --report_to none

## Fix safety
None is offered: whether the run is to be logged is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.versions import satisfies

_VARIABLE = "env:WANDB_DISABLED"


@rule(
    id="EN021",
    name="wandb-disabled-and-reported",
    summary="WANDB_DISABLED together with report_to wandb",
    severity=Severity.ERROR,
    when={_VARIABLE: SET},
    evidence=(
        Evidence(
            "transformers 4.57.0: transformers/integrations/integration_utils.py",
            "https://github.com/huggingface/transformers/blob/v4.57.0/src/transformers/integrations/integration_utils.py",
            "With WANDB_DISABLED wandb counts as not available, and WandbCallback raises RuntimeError.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if both are there."""
    if (run.text(_VARIABLE) or "").upper() not in ("1", "ON", "YES", "TRUE"):
        return
    for framework in ("trl", "transformers"):
        reported = run.known(f"{framework}:report_to")
        listed = reported if isinstance(reported, (list, tuple)) else [reported]
        if "wandb" in listed:
            trainer = run.run.settings.get("transformers")
            raises = trainer is not None and satisfies(trainer.version.text, "<5")
            yield run.finding(
                "WANDB_DISABLED takes away the wandb that report_to asks for: the Trainer raises before transformers 5 "
                "and logs all the same from there on",
                (_VARIABLE, "disabled"),
                (f"{framework}:report_to", "asked for"),
                help="report_to none, or no WANDB_DISABLED",
                severity=None if raises else Severity.WARNING,
            )
            return
