"""An option that is added although it is there.

## What it checks
Hydra overrides with `+`, which adds an option, for one that the configuration of the release has.

## Why it matters
Hydra refuses to start. Scripts carry the `+` from a release or a fork where the option did not exist yet.

## Example
    python3 -m verl.trainer.main_ppo +trainer.val_before_train=False

## Instead
    python3 -m verl.trainer.main_ppo trainer.val_before_train=False

## Fix safety
None is offered: `++` would serve releases with and without the option.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, Undecided, rule
from grpolint.rules.configuration._complaints import findings


@rule(
    id="CF002",
    name="option-added-that-exists",
    summary="`+` for an option that the configuration has already",
    severity=Severity.ERROR,
    evidence=(
        Evidence(
            "Hydra documentation: override grammar",
            "https://hydra.cc/docs/advanced/override_grammar/basic/",
            "+ adds a key and is an error for one that exists; ++ adds or overrides.",
        ),
    ),
    when={"complaint:append-exists": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each; undecided where another release or a fork may not have the option yet."""
    if unsure := [each for each in run.run.complaints if each.kind == "append-exists" and not each.certain]:
        raise Undecided(*(f"{each.framework}:{each.key} (version:{each.framework})" for each in unsure))
    yield from findings(
        run,
        "append-exists",
        label="+ only adds what is not there",
        help="write it without +, or with ++ for releases that may not have it",
    )
