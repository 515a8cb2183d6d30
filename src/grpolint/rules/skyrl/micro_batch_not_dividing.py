"""A device's part of a mini batch that is not made of whole micro batches.

## What it checks
`trainer.policy_mini_batch_size * generator.n_samples_per_prompt`, divided over the data-parallel ranks of the policy, must
be a multiple of `trainer.micro_train_batch_size_per_gpu` and not zero.

## Why it matters
SkyRL checks it before anything starts and stops with an assertion.

## Example
    trainer.policy_mini_batch_size=64 generator.n_samples_per_prompt=5 trainer.placement.policy_num_gpus_per_node=8 trainer.micro_train_batch_size_per_gpu=64

## Instead
    trainer.policy_mini_batch_size=64 generator.n_samples_per_prompt=8 trainer.placement.policy_num_gpus_per_node=8 trainer.micro_train_batch_size_per_gpu=64

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least, multiple
from grpolint.rules.skyrl._entry import severity


@rule(
    id="SK003",
    name="skyrl-micro-batch-not-dividing",
    summary="a device's part of the mini batch is no multiple of the micro batch",
    severity=Severity.ERROR,
    frameworks={"skyrl": ""},
    evidence=(
        Evidence(
            "SkyRL 0.3.0: skyrl/train/utils/utils.py",
            "https://github.com/NovaSky-AI/SkyRL/blob/skyrl-v0.3.0/skyrl/train/utils/utils.py",
            "validate_batch_sizes asserts that the mini batch of a GPU is positive and a multiple of the micro batch.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    mini = Size.of(
        run,
        Term("skyrl:trainer.policy_mini_batch_size", "policy_mini_batch_size"),
        Term("skyrl:generator.n_samples_per_prompt", "n_samples_per_prompt"),
    )
    micro = Size.of(run, Term("skyrl:trainer.micro_train_batch_size_per_gpu", "micro_train_batch_size_per_gpu"))
    ranks = Size.of(run, Term("fact:dp", "data-parallel ranks"))
    if mini is None or micro is None or ranks is None:
        return
    if mini.value < ranks.value:
        yield from at_least(run, mini, ranks, "no sample is left for some ranks", severity=severity(run))
        return
    part = mini.value // ranks.value
    share = Size(part, f"{mini.equation} // {ranks.equation} = {part}", (*mini.places, *ranks.places))
    yield from multiple(run, share, micro, "SkyRL stops with an assertion", severity=severity(run))
