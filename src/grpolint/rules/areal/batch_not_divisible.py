"""A batch of prompts that the trainer's ranks cannot share.

## What it checks
`train_dataset.batch_size` and `valid_dataset.batch_size` must be multiples of the data-parallel size of the trainer,
where a launcher starts one process for each rank.

## Why it matters
The program stops with a ValueError when it makes the data loader, after the engines have been started.

## Example
    python3 -m areal.infra.launcher.local train.py --config grpo.yaml actor.backend=fsdp:d3 train_dataset.batch_size=64

## Instead
    python3 -m areal.infra.launcher.local train.py --config grpo.yaml actor.backend=fsdp:d4 train_dataset.batch_size=64

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="AR006",
    name="batch-not-divisible-by-ranks",
    summary="batch_size is not a multiple of the trainer's data-parallel size",
    severity=Severity.ERROR,
    frameworks={"areal": ">=0.4.1"},
    evidence=(
        Evidence(
            "areal 1.0.4: areal/utils/dataloader.py",
            "https://github.com/inclusionAI/AReaL/blob/v1.0.4/areal/utils/dataloader.py",
            "create_dataloader raises ValueError; a single controller counts as one rank.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each batch that leaves a remainder."""
    if ".launcher." not in run.run.program.replace("/", "."):
        return
    ranks = Size.of(run, Term("fact:dp", "data-parallel ranks"))
    for section in ("train_dataset", "valid_dataset"):
        ref = f"areal:{section}.batch_size"
        batch = Size.of(run, Term(ref, f"{section}.batch_size"))
        yield from multiple(run, batch, ranks, "each rank takes the same number of prompts")
