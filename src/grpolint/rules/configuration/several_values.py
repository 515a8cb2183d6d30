"""Several values for one option in a single run.

## What it checks
A Hydra override whose value is a sweep (`a=1,2`) in a launch without `--multirun`.

## Why it matters
Hydra refuses to start. A list is written in brackets, and a comma inside a text needs quotes.

## Example
    python3 -m verl.trainer.main_ppo trainer.logger=console,wandb

## Instead
    python3 -m verl.trainer.main_ppo trainer.logger=['console','wandb']

## Fix safety
None is offered: a list and a quoted text are both possible.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.configuration._complaints import findings


@rule(
    id="CF003",
    name="several-values",
    summary="several values for one option without --multirun",
    severity=Severity.ERROR,
    evidence=(
        Evidence(
            "Hydra documentation: extended override grammar",
            "https://hydra.cc/docs/advanced/override_grammar/extended/",
            "A value with commas outside brackets and quotes is a choice sweep, which only --multirun takes.",
        ),
    ),
    when={"complaint:sweep": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    yield from findings(run, "sweep", label="read as several runs", help="write a list in brackets, or quote the text")
