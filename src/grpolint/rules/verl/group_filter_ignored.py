"""Filtering of groups that the trainer does not do.

## What it checks
`algorithm.filter_groups.enable` with `verl.trainer.main_ppo` before 0.9. The DAPO recipe has a trainer of its own,
which filters.

## Why it matters
The option is in the configuration and nothing in this trainer reads it: groups whose answers all get the same reward
stay in the batch.

## Example
    python3 -m verl.trainer.main_ppo +algorithm.filter_groups.enable=True +algorithm.filter_groups.metric=acc

## Instead
    python3 -m recipe.dapo.main_dapo algorithm.filter_groups.enable=True algorithm.filter_groups.metric=acc

## Fix safety
None is offered: another program is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.relations import on, together
from grpolint.rules.verl._trainer import foreign


@rule(
    id="VE022",
    name="group-filter-ignored",
    summary="algorithm.filter_groups has no effect in main_ppo before 0.9",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.3,<0.9"},
    evidence=(
        Evidence(
            "verl 0.8.0: verl/trainer/config/algorithm.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/trainer/config/algorithm.py",
            "The dataclass has filter_groups for DAPO; no other file of the package mentions it.",
        ),
    ),
    when={"verl:algorithm.filter_groups.enable": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    setting = run.run.setting("verl", "algorithm.filter_groups.enable")
    if setting is None or setting.span is None:
        return
    if foreign(run) is not None or not setting.span.text.lstrip("'\"").startswith("+"):
        raise NotApplicable  # a fork that has the option in its configuration reads it
    yield from together(
        run,
        "filter_groups has no effect: before verl 0.9 only the DAPO recipe's trainer filters groups",
        on("verl:algorithm.filter_groups.enable", "read by nothing"),
        help="start recipe.dapo.main_dapo, or use verl 0.9",
    )
