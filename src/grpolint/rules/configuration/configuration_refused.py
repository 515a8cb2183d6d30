"""A configuration that does not exist or is refused as a whole.

## What it checks
Group choices and primary configurations that the release (or the folder beside the program) does not have, and files
that their reader rejects, such as comments in a JSON that is read strictly.

## Why it matters
The program stops before anything else.

## Example
    python3 -m verl.trainer.main_ppo --config-name=ppo_megatron

## Instead
    python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer

## Fix safety
None is offered: which configuration was meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.configuration._complaints import findings


@rule(
    id="CF006",
    name="configuration-refused",
    summary="a configuration file that is not there or cannot be read",
    severity=Severity.ERROR,
    evidence=(
        Evidence(
            "Hydra documentation: the defaults list",
            "https://hydra.cc/docs/advanced/defaults_list/",
            "An entry that is not found in the search path is an error unless it is optional.",
        ),
    ),
    when={"complaint:missing-config|complaint:bad-config": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    yield from findings(run, "missing-config", "bad-config", label="refused")
