"""Very many optimizer steps on one rollout.

## What it checks
More than 32 optimizer steps on the samples of one rollout, from the size of the mini batch and the number of passes.

## Why it matters
Every step moves the policy away from the one that sampled. The later ones learn from ratios that are clipped, or from a policy
that no longer exists. Of about 1000 published configurations 99 % take at most 32 steps, four fifths 4 or fewer.

## Example
    data.train_batch_size=1024 actor_rollout_ref.actor.ppo_mini_batch_size=8

## Instead
    data.train_batch_size=1024 actor_rollout_ref.actor.ppo_mini_batch_size=256

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer

_MOST = 32


@rule(
    id="GR023",
    name="many-updates",
    summary="more than 32 optimizer steps on one rollout",
    severity=Severity.INFO,
    confidence=Confidence.MEDIUM,
    when={"fact:updates_per_rollout": above(_MOST)},
    evidence=(
        Evidence(
            "arXiv 2503.14476 (DAPO), section 4.1",
            "https://arxiv.org/abs/2503.14476",
            "16 steps on each rollout, which is among the most of the published recipes.",
        ),
        Evidence(
            "arXiv 2505.22312 (Skywork-OR1), section 4",
            "https://arxiv.org/abs/2505.22312",
            "More steps on a rollout make the entropy fall faster and the result worse.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation."""
    updates = run.integer("fact:updates_per_rollout")
    if updates is None or updates <= _MOST or run.known("fact:advantage") is None:
        return
    passes = run.integer("fact:passes_per_rollout") or 1
    each = f"{updates // passes} mini batches * {passes} passes = {updates}" if passes > 1 else f"{updates}"
    yield run.finding(
        f"{each} optimizer steps on one rollout: the last ones learn from a policy that no longer exists",
        ("fact:updates_per_rollout", "the size of a step's batch"),
        help="1 to 16 are usual; take a larger mini batch",
    )
