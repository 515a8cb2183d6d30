"""Replay of the sparse attention's choices.

## What it checks
Where an indexer chooses what attention sees (DSA), the trainer repeats the choice that the rollout engine made.

## Why it matters
The handbook: otherwise training and rollout look at different positions.

## Example
    {"sparse_attention": true, "indexer_replay": false, "use_critic": false}

## Instead
    {"sparse_attention": true, "indexer_replay": true, "use_critic": false}

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry, NotApplicable
from grpolint.rules.handbook._asking import flat, training
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("D16", "indexer-replay", "the trainer repeats the indexer's choices of the rollout")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where it is not repeated."""
    training(run)
    if run.require("fact:sparse_attention") is not True:
        raise NotApplicable("attention has no indexer")
    replay = run.require("fact:indexer_replay") if flat(run) else run.known("fact:indexer_replay")
    if replay is not True:
        yield run.finding(
            "the trainer chooses anew what sparse attention sees, instead of replaying the rollout's choice",
            ("fact:indexer_replay", "no replay"),
            ("fact:sparse_attention", "sparse attention"),
            changes=remedy(run, "indexer_replay", True),
            help="no release of this trainer can: take a model without an indexer",
        )
