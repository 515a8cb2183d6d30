"""A word that the program cannot read as an override.

## What it checks
Arguments of a Hydra program that are no `key=value`, and values that the place in the configuration does not take (a
number for a whole section).

## Why it matters
Hydra stops at the first such word. Often it is a flag of another program, a value with a space that lost its quotes,
or an empty variable.

## Example
    python3 -m verl.trainer.main_ppo --nnodes 2

## Instead
    python3 -m verl.trainer.main_ppo trainer.nnodes=2

## Fix safety
None is offered: what was meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.configuration._complaints import findings


@rule(
    id="CF004",
    name="not-an-override",
    summary="a word that is no valid override",
    severity=Severity.ERROR,
    evidence=(
        Evidence(
            "Hydra documentation: override grammar",
            "https://hydra.cc/docs/advanced/override_grammar/basic/",
            "Arguments are parsed by a grammar of key=value; anything else is an error.",
        ),
    ),
    when={"complaint:bad-override|complaint:placeholder": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    yield from findings(
        run,
        "bad-override",
        label="not read",
        help="write key=value without blanks, and quote values with spaces and brackets",
    )
    yield from findings(
        run,
        "placeholder",
        label="to be filled in",
        help="put your own value there, in quotes where it has blanks or brackets",
    )
