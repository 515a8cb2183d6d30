"""Engines told to sleep that stay awake.

## What it checks
`--vllm.enable_sleep` without `--train.colocate_all`.

## Why it matters
OpenRLHF switches it off with a line of output and goes on: the memory of the engines is never freed.

## Example
    --vllm.enable_sleep

## Instead
    --vllm.enable_sleep --train.colocate_all

## Fix safety
Safe: without colocation the option has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import off, on, together


@rule(
    id="OR021",
    name="sleep-without-colocation",
    summary="vllm.enable_sleep without colocated models is switched off",
    severity=Severity.INFO,
    frameworks={"openrlhf": ">=0.5.8"},
    when={"openrlhf:vllm.enable_sleep": True},
    evidence=(
        Evidence(
            "openrlhf 0.11.0: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.0/openrlhf/cli/train_ppo_ray.py",
            "Sets vllm.enable_sleep to false where colocate_all is off.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "vllm.enable_sleep is switched off by OpenRLHF unless all models share the GPUs (train.colocate_all)",
        on("openrlhf:vllm.enable_sleep", "switched off"),
        off("openrlhf:train.colocate_all", "models apart"),
        changes=(RemoveOption("openrlhf", "vllm.enable_sleep", safe=True),),
    )
