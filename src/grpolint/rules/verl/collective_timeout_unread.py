"""A timeout of collectives that nothing reads.

## What it checks
`actor_rollout_ref.nccl_timeout` or `critic.nccl_timeout` is set for verl 0.8 or later.

## Why it matters
The workers of 0.8 build their process groups without it, so PyTorch's own limit of ten minutes stays: a step that takes
longer is ended by the watchdog, whatever the option says.

## Example
    actor_rollout_ref.nccl_timeout=7200

## Instead
    # shorter steps: smaller token budgets, fewer samples a micro batch, checkpoints written asynchronously

## Fix safety
Safe: the option has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_DEFAULT = 600
_KEYS = ("actor_rollout_ref.nccl_timeout", "critic.nccl_timeout")


@rule(
    id="VE150",
    name="collective-timeout-unread",
    summary="nccl_timeout is not read since verl 0.8",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.8,<0.10"},
    when={"|".join(f"verl:{key}" for key in _KEYS): SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine_workers.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine_workers.py",
            "The process group is made with a timeout of None, in 0.8.0 too; the option is in the configuration only.",
        ),
        Evidence(
            "verl 0.7.1: verl/workers/fsdp_workers.py",
            "https://github.com/verl-project/verl/blob/v0.7.1/verl/workers/fsdp_workers.py",
            "Here the workers read it, and the Megatron workers too.",
        ),
        Evidence(
            "verl-project/verl#7815",
            "https://github.com/verl-project/verl/issues/7815",
            "Both options have no reader any more, while seven published examples set them.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each that is set to another value than the default."""
    for key in _KEYS:
        seconds = run.integer(f"verl:{key}") if run.is_set(f"verl:{key}") else None
        if seconds is not None and seconds != _DEFAULT:
            yield run.finding(
                f"{key} {seconds} is not read by verl {run.run.settings['verl'].version.text}: collectives time out after"
                f" PyTorch's own {_DEFAULT} seconds",
                (f"verl:{key}", f"{seconds} seconds, without effect"),
                help="keep every step between two collectives below ten minutes, or take it out",
                changes=(RemoveOption("verl", key, safe=True),),
            )
