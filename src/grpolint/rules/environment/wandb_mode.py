"""A WANDB_MODE that wandb refuses.

## What it checks
`WANDB_MODE` against online, offline, shared, disabled, dryrun and run, in a run that logs to Weights & Biases.

## Why it matters
wandb checks its settings when the run is made, after the models are loaded: a validation error ends the training.

## Example
    export WANDB_MODE=none

## Instead
    export WANDB_MODE=disabled

## Fix safety
None is offered: which mode is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_NAME = "env:WANDB_MODE"
_MODES = ("online", "offline", "shared", "disabled", "dryrun", "run")
_LOGGERS = ("verl:trainer.logger", "trl:report_to", "transformers:report_to")


@rule(
    id="EN040",
    name="wandb-mode-refused",
    summary="a WANDB_MODE that wandb refuses",
    severity=Severity.ERROR,
    when={_NAME: SET},
    evidence=(
        Evidence(
            "wandb 0.22.0: wandb/sdk/wandb_settings.py",
            "https://github.com/wandb/wandb/blob/v0.22.0/wandb/sdk/wandb_settings.py",
            "mode is one of six words in lower case, which pydantic checks.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the mode is none of them."""
    text = run.text(_NAME)
    if not text or text in _MODES:
        return
    for ref in _LOGGERS:
        if "wandb" in str(run.known(ref)):
            yield run.finding(
                f"wandb has no mode {text}",
                (_NAME, "refused"),
                (ref, "logs to wandb"),
                help=f"write {text.lower()}" if text.lower() in _MODES else f"use one of {', '.join(_MODES[:4])}",
            )
            return
