"""A train batch that is not cut into whole mini batches.

## What it checks
`trainer.train_batch_size` must be a multiple of `trainer.policy_mini_batch_size`, and of `trainer.critic_mini_batch_size`
where there is a critic. All count prompts.

## Why it matters
SkyRL checks it before anything starts and stops with an assertion.

## Example
    trainer.train_batch_size=512 trainer.policy_mini_batch_size=1024

## Instead
    trainer.train_batch_size=1024 trainer.policy_mini_batch_size=256

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple
from grpolint.rules.skyrl._entry import severity


@rule(
    id="SK002",
    name="skyrl-train-batch-not-whole-mini-batches",
    summary="train_batch_size is no multiple of policy_mini_batch_size",
    severity=Severity.ERROR,
    frameworks={"skyrl": ""},
    evidence=(
        Evidence(
            "SkyRL 0.3.0: skyrl/train/utils/utils.py",
            "https://github.com/NovaSky-AI/SkyRL/blob/skyrl-v0.3.0/skyrl/train/utils/utils.py",
            "validate_batch_sizes asserts that the train batch is at least the mini batch and a multiple of it.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the policy, and for the critic."""
    if run.integer("skyrl:trainer.train_batch_size") == 0:
        return
    for role in ("policy", "critic"):
        if role == "critic" and run.known("skyrl:trainer.critic.model.path") is None:
            continue
        name = f"{role}_mini_batch_size"
        yield from multiple(
            run,
            Size.of(run, Term("skyrl:trainer.train_batch_size", "train_batch_size")),
            Size.of(run, Term(f"skyrl:trainer.{name}", name)),
            "SkyRL stops with an assertion",
            severity=severity(run),
        )
