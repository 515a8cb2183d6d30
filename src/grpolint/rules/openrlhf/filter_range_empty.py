"""A range of rewards that keeps nothing.

## What it checks
`--algo.dynamic_filtering_range` whose first number is not below the second, while dynamic filtering is on.

## Why it matters
The program stops with an assertion at the start.

## Example
    --algo.dynamic_filtering_enable --algo.dynamic_filtering_range 1 0

## Instead
    --algo.dynamic_filtering_enable --algo.dynamic_filtering_range 0 1

## Fix safety
None is offered: the bounds are a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule, show

_FILTER = "openrlhf:algo.dynamic_filtering_enable"
_RANGE = "openrlhf:algo.dynamic_filtering_range"


@rule(
    id="OR027",
    name="filter-range-empty",
    summary="dynamic_filtering_range with its lower bound not below the upper",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.8.1"},
    when={_RANGE: SET, _FILTER: True},
    evidence=(
        Evidence(
            "openrlhf 0.11.0: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.0/openrlhf/cli/train_ppo_ray.py",
            "Asserts that the first bound is below the second.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    bounds = run.known(_RANGE)
    if not isinstance(bounds, (list, tuple)) or len(bounds) != 2 or run.flag(_FILTER) is not True:
        return
    if all(isinstance(each, (int, float)) for each in bounds) and bounds[0] >= bounds[1]:
        yield run.finding(
            f"dynamic filtering keeps rewards from {show(bounds[0])} to {show(bounds[1])}, which is nothing: OpenRLHF refuses it",
            (_RANGE, "empty"),
            (_FILTER, "filters"),
            help="give the lower bound first",
        )
