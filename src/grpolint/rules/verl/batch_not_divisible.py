"""The sampled batch of a verl step does not divide over the devices.

## What it checks
Without dynamic batching, `data.train_batch_size * rollout.n` must be a multiple of the smallest possible global
micro step: the number of devices for FSDP, the data-parallel size times the micro batch for Megatron.

## Why it matters
verl refuses the run, but only after Ray has started and the workers are placed.

## Example
    data.train_batch_size=100 actor_rollout_ref.rollout.n=5 trainer.n_gpus_per_node=8

## Instead
    data.train_batch_size=96 actor_rollout_ref.rollout.n=5 trainer.n_gpus_per_node=8

## Fix safety
Unsafe: another batch size changes training.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import start_check

_ACTOR = "verl:actor_rollout_ref.actor"
_BATCH = "verl:data.train_batch_size"
_N = "verl:actor_rollout_ref.rollout.n"
_MICRO = f"{_ACTOR}.ppo_micro_batch_size_per_gpu"


@rule(
    id="VE002",
    name="train-batch-not-divisible",
    summary="train_batch_size * rollout.n is not a multiple of the smallest global micro step",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.2"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/utils/config.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/utils/config.py",
            "validate_config asserts that the real train batch is a multiple of the minimal batch size.",
        ),
    ),
)
@start_check
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if the batch leaves a remainder."""
    if run.flag(f"{_ACTOR}.use_dynamic_bsz") is not False:
        return
    batch, n, gpus = run.integer(_BATCH), run.integer(_N), run.integer("fact:world_size")
    if batch is None or n is None or gpus is None:
        return
    if run.text(f"{_ACTOR}.strategy") == "megatron":
        dp, micro = run.integer("fact:dp"), run.integer(_MICRO)
        if dp is None or micro is None:
            return
        least, equation = dp * micro, f"{dp} data-parallel ranks * micro batch {micro} = {dp * micro}"
        places = [(_MICRO, f"micro batch {micro}"), ("fact:dp", "")]
    else:
        least, equation = gpus, f"{gpus} GPUs"
        places = [("fact:world_size", "")]
    rest = batch * n % least if least > 0 else 0
    if rest:
        yield run.finding(
            f"data.train_batch_size {batch} * rollout.n {n} = {batch * n}, not divisible by {equation}",
            (_BATCH, f"{batch} prompts"),
            (_N, f"{n} responses each"),
            *places,
            help=_advice(batch, n, least),
        )


def _advice(batch: int, n: int, least: int) -> str:
    """The nearest train batch sizes that divide."""
    step = least // gcd(n, least)
    below = batch // step * step
    near = " or ".join(str(size) for size in (below, below + step) if size > 0)
    return f"set data.train_batch_size to {near}" if near else "choose a batch that divides"
