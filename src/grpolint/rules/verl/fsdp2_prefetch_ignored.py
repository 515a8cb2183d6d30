"""Forward prefetching that FSDP2 workers did not have.

## What it checks
`fsdp_config.forward_prefetch` on with `strategy=fsdp2` before 0.8.

## Why it matters
Only the FSDP1 branch of the workers reads the option: with fsdp2 nothing is prefetched and nothing says so.

## Example
    actor_rollout_ref.actor.strategy=fsdp2 actor_rollout_ref.actor.fsdp_config.forward_prefetch=True

## Instead
    actor_rollout_ref.actor.strategy=fsdp2

## Fix safety
Safe: the option does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import equals, on, together
from grpolint.rules.verl._trainer import ppo_trainer

_PREFETCH = "actor_rollout_ref.actor.fsdp_config.forward_prefetch"


@rule(
    id="VE018",
    name="fsdp2-prefetch-ignored",
    summary="forward_prefetch has no effect with fsdp2",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.4,<0.8"},
    evidence=(
        Evidence(
            "verl 0.7.1: verl/workers/fsdp_workers.py",
            "https://github.com/verl-project/verl/blob/v0.7.1/verl/workers/fsdp_workers.py",
            "forward_prefetch is handed to FSDP1 only; the branch of fsdp2 does not mention it.",
        ),
    ),
    when={"verl:actor_rollout_ref.actor.fsdp_config.forward_prefetch": True},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "forward_prefetch has no effect with fsdp2 before verl 0.8",
        on(f"verl:{_PREFETCH}", "not read"),
        equals("verl:actor_rollout_ref.actor.strategy", "fsdp2", label="FSDP2"),
        changes=(SetOption("verl", _PREFETCH, value=False, safe=True),),
    )
