"""Fewer batches of samples than processes of the actor.

## What it checks
`rollout.n_samples_per_prompt * rollout.batch_size // rollout.micro_batch_size` must not be below the data-parallel
processes of the actor.

## Why it matters
The program stops with an assertion at the start. Small rollouts for a trial run into it.

## Example
    --rollout.batch_size 8 --rollout.n_samples_per_prompt 2 --rollout.micro_batch_size 8 --actor.num_gpus_per_node 8

## Instead
    --rollout.batch_size 8 --rollout.n_samples_per_prompt 2 --rollout.micro_batch_size 2 --actor.num_gpus_per_node 8

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least

_MICRO = "openrlhf:rollout.micro_batch_size"


@rule(
    id="OR007",
    name="few-sample-batches",
    summary="fewer sample batches than actor processes",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.7.4"},
    evidence=(
        Evidence(
            "openrlhf 0.11.2: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.2/openrlhf/cli/train_ppo_ray.py",
            "Asserts that there are at least as many sample batches as actor processes.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    samples = Size.of(
        run,
        Term("openrlhf:rollout.n_samples_per_prompt", "n_samples_per_prompt"),
        Term("openrlhf:rollout.batch_size", "rollout.batch_size"),
    )
    micro = run.integer(_MICRO)
    if samples is None or not micro:
        return
    actor = Size.of(run, Term("fact:dp", "processes of the actor"))
    batches = Size(
        samples.value // micro,
        f"{samples.equation} samples // micro batch {micro} = {samples.value // micro} batches",
        (*samples.places, (_MICRO, "")),
    )
    yield from at_least(run, batches, actor, "each process of the actor needs one")
