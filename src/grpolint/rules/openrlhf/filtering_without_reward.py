"""Dynamic filtering that has nothing to filter by.

## What it checks
`--algo.dynamic_filtering_enable` with one sample per prompt, or without a remote reward (`--reward.remote_url`) or an
agent function.

## Why it matters
The program stops with an assertion at the start.

## Example
    --algo.dynamic_filtering_enable --rollout.n_samples_per_prompt 1

## Instead
    --algo.dynamic_filtering_enable --rollout.n_samples_per_prompt 8 --reward.remote_url reward.py

## Fix safety
None is offered: the group size and the reward are choices.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import absent, equals, on, together

_FILTER = "openrlhf:algo.dynamic_filtering_enable"


@rule(
    id="OR006",
    name="filtering-without-groups",
    summary="dynamic filtering needs groups and a reward function",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.8"},
    evidence=(
        Evidence(
            "openrlhf 0.11.2: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.2/openrlhf/cli/train_ppo_ray.py",
            "Asserts more than one sample per prompt, and a remote reward or an agent, where groups are filtered.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag(_FILTER) is not True:
        return
    yield from together(
        run,
        "dynamic filtering compares the answers to a prompt, and there is one of each",
        on(_FILTER, "filters groups"),
        equals("openrlhf:rollout.n_samples_per_prompt", 1, label="groups of one"),
        help="sample several answers to each prompt",
    )
    yield from together(
        run,
        "dynamic filtering needs a reward function: reward.remote_url or train.agent_func_path",
        on(_FILTER, "filters by reward"),
        absent("openrlhf:reward.remote_url"),
        absent("openrlhf:train.agent_func_path"),
        help="name the reward function with --reward.remote_url",
    )
