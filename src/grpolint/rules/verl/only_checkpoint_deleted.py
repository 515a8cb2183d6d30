"""The one checkpoint is deleted while nothing replaces it.

## What it checks
`trainer.max_actor_ckpt_to_keep=1` before verl 0.7.1.

## Why it matters
These releases delete the old checkpoint before they write the new one. A run that is killed while it saves, or runs
out of disk, has none.

## Example
    trainer.max_actor_ckpt_to_keep=1

## Instead
    trainer.max_actor_ckpt_to_keep=2

## Fix safety
Safe: it only takes the room of one more checkpoint.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_KEEP = "trainer.max_actor_ckpt_to_keep"


@rule(
    id="VE092",
    name="only-checkpoint-deleted",
    summary="the checkpoint that was resumed from is deleted, or replaced before the next is whole",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.3,<0.7.1"},
    when={"verl:trainer.max_actor_ckpt_to_keep": 1},
    evidence=(
        Evidence(
            "verl-project/verl#4873",
            "https://github.com/verl-project/verl/pull/4873",
            "With one checkpoint to keep, the old one was removed before the new one was saved, and a failure in between left none.",
            "confirmed",
        ),
        Evidence(
            "verl 0.7.0: verl/utils/checkpoint/fsdp_checkpoint_manager.py",
            "https://github.com/verl-project/verl/blob/v0.7.0/verl/utils/checkpoint/fsdp_checkpoint_manager.py",
            "save_checkpoint removes what is above max_ckpt_to_keep - 1 before it writes.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if one checkpoint is kept."""
    if run.integer(f"verl:{_KEEP}") != 1 or (run.integer("fact:save_every") or 0) < 1:
        return
    version = run.run.settings["verl"].version.text
    yield run.finding(
        f"verl {version} deletes the only checkpoint before it writes the next one",
        (f"verl:{_KEEP}", "one is kept"),
        changes=(SetOption("verl", _KEEP, 2, safe=True),),
    )
