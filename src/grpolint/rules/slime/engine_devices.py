"""Engines that do not fill the devices they get.

## What it checks
The devices for rollouts (`--rollout-num-gpus`, with `--colocate` the trainer's) must be a multiple of `--rollout-num-
gpus-per-engine` and not be below it.

## Why it matters
slime starts as many engines as fit. The devices left over stay idle, and where not even one engine fits, every
request waits for ever.

## Example
    python3 train.py --rollout-num-gpus 6 --rollout-num-gpus-per-engine 4

## Instead
    python3 train.py --rollout-num-gpus 8 --rollout-num-gpus-per-engine 4

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least, multiple


@rule(
    id="SL005",
    name="engines-not-filling-devices",
    summary="rollout devices are not a multiple of rollout-num-gpus-per-engine",
    severity=Severity.WARNING,
    frameworks={"slime": ">=0.2"},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/ray/rollout.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/ray/rollout.py",
            "The number of engines is the devices divided by those of an engine, rounded down.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if devices are left over or too few."""
    if run.flag("slime:debug_train_only") is True or run.known("slime:sglang_config") is not None:
        return
    if run.known("slime:rollout_external_engine_addrs") is not None:
        return
    if run.known("slime:rollout_num_gpus") is not None:
        devices = Size.of(run, Term("slime:rollout_num_gpus", "rollout-num-gpus"))
    elif run.flag("slime:colocate") is True:
        devices = Size.of(
            run,
            Term("slime:actor_num_nodes", "actor-num-nodes"),
            Term("slime:actor_num_gpus_per_node", "actor-num-gpus-per-node"),
        )
    else:
        return
    engine = Size.of(run, Term("slime:rollout_num_gpus_per_engine", "rollout-num-gpus-per-engine"))
    if devices is None or engine is None or devices.value == 0:
        return
    if devices.value < engine.value:
        yield from at_least(run, devices, engine, "not one engine can be started", severity=Severity.ERROR)
    else:
        yield from multiple(run, devices, engine, "the devices left over stay idle")
