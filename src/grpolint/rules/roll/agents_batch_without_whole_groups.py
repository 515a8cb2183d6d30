"""An agentic rollout batch that is no multiple of the group size.

## What it checks
In the agentic pipeline `rollout_batch_size` must be a multiple of `train_env_manager.group_size`, and
`val_batch_size` of `val_env_manager.num_env_groups * group_size`, unless they are negative.

## Why it matters
Trajectories are collected in whole groups; ROLL asserts it while it reads the configuration.

## Example
    rollout_batch_size: 100
    train_env_manager: {num_env_groups: 16, group_size: 8}

## Instead
    rollout_batch_size: 128
    train_env_manager: {num_env_groups: 16, group_size: 8}

## Fix safety
Unsafe: another batch size changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="RO005",
    name="agents-batch-without-whole-groups",
    summary="an agentic rollout batch that is no multiple of the group size",
    severity=Severity.ERROR,
    frameworks={"roll": ">=0.2"},
    when={"roll:train_env_manager.group_size": SET},
    evidence=(
        Evidence(
            "roll 0.3.0: roll/pipeline/agentic/agentic_config.py",
            "https://github.com/alibaba/ROLL/blob/v0.3.0/roll/pipeline/agentic/agentic_config.py",
            "AgenticConfig asserts both, the group size since 0.2.1.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each batch that leaves a remainder."""
    for batch, section, names in (
        ("rollout_batch_size", "train_env_manager", ("group_size",)),
        ("val_batch_size", "val_env_manager", ("num_env_groups", "group_size")),
    ):
        whole = Size.of(run, Term(f"roll:{batch}", batch, "trajectories"))
        if whole is None or whole.value < 1 or not run.is_set(f"roll:{section}.group_size"):
            continue
        part = Size.of(run, *(Term(f"roll:{section}.{name}", name, section) for name in names))
        yield from multiple(run, whole, part, "ROLL collects whole groups")
