"""A learning rate of zero.

## What it checks
The learning rate of the policy is 0.

## Why it matters
Everything runs and nothing is learned: rewards stay where they are. It is left over from a measurement, or the result of an
empty variable in an arithmetic expansion.

## Example
    actor_rollout_ref.actor.optim.lr=0

## Instead
    actor_rollout_ref.actor.optim.lr=1e-6

## Fix safety
Unsafe: training begins.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.verl._trainer import foreign


@rule(
    id="GR015",
    name="learning-rate-zero",
    summary="the learning rate of the policy is 0",
    severity=Severity.WARNING,
    when={"fact:learning_rate": 0},
    evidence=(
        Evidence(
            "PyTorch 2.10: torch/optim/adam.py",
            "https://github.com/pytorch/pytorch/blob/v2.10.0/torch/optim/adam.py",
            "Both the step and the decoupled decay are multiplied by the learning rate.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if nothing is learned."""
    if run.known("fact:advantage") is None and run.known("fact:trainer_kind") is None:
        raise NotApplicable
    if run.run.trainer == "verl":
        foreign(run)  # what only generates is not concerned
        if run.flag("verl:trainer.val_only") is True:
            raise NotApplicable
    if run.number("fact:learning_rate") == 0:
        yield run.finding(
            "a learning rate of 0: every step leaves the policy as it is",
            ("fact:learning_rate", "no step"),
        )
