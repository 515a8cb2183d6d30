"""A PPO mini batch that does not divide over the devices or into micro batches.

## What it checks
A mini batch holds `actor.ppo_mini_batch_size * rollout.n` responses. Each data-parallel rank (Ulysses and model
parallel ranks share one) gets an equal part of it, and that part must be a whole number of micro batches.

## Why it matters
Workers up to 0.7 stop while they start; since 0.8 the run stops at the first update, after the whole rollout.

## Example
    actor_rollout_ref.actor.ppo_mini_batch_size=8 actor_rollout_ref.rollout.n=5 trainer.n_gpus_per_node=8 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4

## Instead
    actor_rollout_ref.actor.ppo_mini_batch_size=8 actor_rollout_ref.rollout.n=8 trainer.n_gpus_per_node=8 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least, multiple
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_ACTOR = "actor_rollout_ref.actor"
_MINI = f"{_ACTOR}.ppo_mini_batch_size"
_MICRO = f"{_ACTOR}.ppo_micro_batch_size_per_gpu"
_N = "actor_rollout_ref.rollout.n"


@rule(
    id="VE003",
    name="mini-batch-not-divisible",
    summary="ppo_mini_batch_size * rollout.n does not divide over the ranks or into micro batches",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3"},
    evidence=(
        Evidence(
            "verl 0.7.1: verl/workers/fsdp_workers.py",
            "https://github.com/verl-project/verl/blob/v0.7.1/verl/workers/fsdp_workers.py",
            "The worker divides the mini batch by the data-parallel size and asserts that it is above zero "
            "and a multiple of the micro batch, with dynamic batching too.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/engine_workers.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine_workers.py",
            "train_mini_batch asserts that the mini batch is a multiple of the data-parallel size.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/engine/utils.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/utils.py",
            "prepare_micro_batches asserts that the batch of a rank is a multiple of the micro batch.",
        ),
        Evidence(
            "verl-project/verl#833",
            "https://github.com/verl-project/verl/pull/833",
            "Asserts it also where the micro batch is given for each GPU; without the assertion the loss became NaN.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if a mini batch cannot be divided."""
    version = run.run.settings["verl"].version.text
    legacy = satisfies(version, "<0.8") and run.known("verl:trainer.use_legacy_worker_impl") != "disable"
    strategy = run.text(f"verl:{_ACTOR}.strategy") or ""
    if legacy and not strategy.startswith("fsdp"):
        return
    samples = Size.of(run, Term(f"verl:{_MINI}", "ppo_mini_batch_size"), Term(f"verl:{_N}", "rollout.n"))
    ranks = Size.of(run, Term("fact:dp", "data-parallel ranks"))
    if samples is None or ranks is None or samples.value < 1:
        return
    if legacy:
        yield from at_least(run, samples, ranks, "verl refuses a mini batch that leaves a device without a sample")
    else:
        yield from multiple(run, samples, ranks, "each data-parallel rank gets an equal part of a mini batch")
    if samples.value < ranks.value or (not legacy and samples.value % ranks.value):
        return
    if not legacy and run.flag(f"verl:{_ACTOR}.use_dynamic_bsz") is not False:
        return
    micro = Size.of(run, Term(f"verl:{_MICRO}", "ppo_micro_batch_size_per_gpu"))
    each = samples.value // ranks.value
    shown = f"{samples.equation} over {ranks.value} data-parallel ranks gives {each} each, which"
    part = Size(each, shown, (*samples.places, *ranks.places))
    yield from multiple(run, part, micro, "verl cuts the part of each rank into whole micro batches")
