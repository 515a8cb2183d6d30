"""Generation ahead of training without the request scheduler.

## What it checks
`async_generation_ratio` above 0 with `generate_opt_level: 0`.

## Why it matters
Only the scheduler of requests (level 1, the default) generates ahead; ROLL asserts it.

## Example
    async_generation_ratio: 1
    generate_opt_level: 0

## Instead
    async_generation_ratio: 1
    generate_opt_level: 1

## Fix safety
Safe: the run does not start otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Condition, equals, together


@rule(
    id="RO004",
    name="generation-ahead-without-scheduler",
    summary="generation ahead of training without the request scheduler",
    severity=Severity.ERROR,
    frameworks={"roll": ">=0.2"},
    when={"roll:generate_opt_level": 0},
    evidence=(
        Evidence(
            "roll 0.3.0: roll/configs/base_config.py",
            "https://github.com/alibaba/ROLL/blob/v0.3.0/roll/configs/base_config.py",
            "PPOConfig asserts generate_opt_level 1 for an asynchronous ratio.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the scheduler is off."""
    yield from together(
        run,
        "async_generation_ratio needs generate_opt_level 1: ROLL refuses to start",
        equals("roll:generate_opt_level", 0, label="no scheduler"),
        Condition("roll:async_generation_ratio", _ahead, "generates ahead"),
        changes=(SetOption("roll", "generate_opt_level", 1, safe=True),),
    )


def _ahead(run: Inquiry, ref: str) -> bool:
    return (run.number(ref) or 0) != 0
