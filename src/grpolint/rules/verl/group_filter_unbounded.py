"""A filter of groups whose options the trainer refuses or ignores.

## What it checks
With `algorithm.filter_groups.enable` in `main_ppo` of verl 0.9: no `metric`, a reward model on the devices of the
trainer, or a `max_num_gen_batches` above 0.

## Why it matters
The trainer raises an error for the first two: groups are filtered by a metric that has to be there when they are
sampled. The bound of the DAPO recipe is ignored, with a line in the log: `max_inflight_gen_batches` bounds how much
is generated at once, and nothing how often.

## Example
    algorithm.filter_groups.enable=True algorithm.filter_groups.max_num_gen_batches=10

## Instead
    algorithm.filter_groups.enable=True algorithm.filter_groups.max_inflight_gen_batches=2

## Fix safety
None is offered: the two bounds mean different things.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import foreign

_FILTER = "algorithm.filter_groups"


@rule(
    id="VE088",
    name="group-filter-unbounded",
    summary="options of filter_groups that verl 0.9 refuses or ignores",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.9"},
    when={"verl:algorithm.filter_groups.enable": True},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/v1/trainer_base.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/v1/trainer_base.py",
            "_resolve_filter_groups_metric raises ValueError without a metric, asserts that rewards stream, and warns that max_num_gen_batches is ignored.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each option that has another effect than it had."""
    if run.flag(f"verl:{_FILTER}.enable") is not True or foreign(run) is not None or run.run.launch is None:
        return
    if run.flag("verl:trainer.use_v1") is not True:
        return
    if run.known(f"verl:{_FILTER}.metric") in (None, ""):
        message = "filter_groups is on without a metric: the trainer raises ValueError"
        places = ((f"verl:{_FILTER}.metric", "none"), (f"verl:{_FILTER}.enable", "filters by a metric"))
        help_ = "acc or score, whichever the reward returns"
        yield run.finding(message, *places, help=help_, severity=Severity.ERROR)
    bound = run.integer(f"verl:{_FILTER}.max_num_gen_batches")
    if bound is not None and bound > 0:
        yield run.finding(
            f"max_num_gen_batches {bound} is ignored since verl 0.9: nothing ends the search for groups that are not uniform",
            (f"verl:{_FILTER}.max_num_gen_batches", "not read"),
            help="max_inflight_gen_batches bounds what is generated at once",
        )
    model = "reward.reward_model"
    if run.flag(f"verl:{model}.enable") is True and run.flag(f"verl:{model}.enable_resource_pool") is False:
        yield run.finding(
            "filter_groups needs the reward when it samples, and a reward model on the trainer's devices scores after that",
            (f"verl:{_FILTER}.enable", "filters when it samples"),
            (f"verl:{model}.enable_resource_pool", "scores later"),
            help=f"set {model}.enable_resource_pool=True with devices of its own, or use a reward function",
            severity=Severity.ERROR,
        )
