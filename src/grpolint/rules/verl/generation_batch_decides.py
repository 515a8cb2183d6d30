"""A generation batch of another size than the training batch.

## What it checks
`data.gen_batch_size` with `main_ppo`: before verl 0.9 it differs from `data.train_batch_size`; since 0.9 it does not
divide it, in the synchronous trainer without a filter of groups.

## Why it matters
Before 0.9 the loader of main_ppo takes gen_batch_size where it is given, and trains on all of it: train_batch_size is
only checked. Only the DAPO recipe generates more than it trains on. Since 0.9 the trainer fetches whole generation
batches and raises ValueError for a rest.

## Example
    python3 -m verl.trainer.main_ppo data.train_batch_size=256 +data.gen_batch_size=768

## Instead
    python3 -m recipe.dapo.main_dapo data.train_batch_size=256 data.gen_batch_size=768

## Fix safety
None is offered: it changes the size of a step.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import foreign
from grpolint.versions import satisfies

_GENERATE = "data.gen_batch_size"
_TRAIN = "data.train_batch_size"


@rule(
    id="VE082",
    name="generation-batch-decides",
    summary="gen_batch_size takes the place of train_batch_size, or does not divide it",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.4"},
    when={"verl:data.gen_batch_size": SET},
    evidence=(
        Evidence(
            "verl 0.8.0: verl/trainer/ppo/ray_trainer.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/trainer/ppo/ray_trainer.py",
            "The loader's batch size is gen_batch_size where the configuration has one.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/v1/trainer_base.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/v1/trainer_base.py",
            "_next_train_batch raises ValueError for a number of prompts that is no multiple of gen_batch_size.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the loader takes other batches than the trainer is told."""
    if not run.is_set(f"verl:{_GENERATE}") or foreign(run) is not None or run.run.launch is None:
        return
    if "verl.trainer.main_ppo" not in run.run.program.replace("/", "."):
        return
    generate, train = run.integer(f"verl:{_GENERATE}"), run.integer(f"verl:{_TRAIN}")
    if not generate or not train or generate == train:
        return
    version = run.run.settings["verl"].version
    if satisfies(version.text, "<0.9"):
        yield run.finding(
            f"gen_batch_size {generate} prompts make a step, not train_batch_size {train}: main_ppo of verl {version.text} "
            "trains on all that it generates",
            (f"verl:{_GENERATE}", "what the loader takes"),
            (f"verl:{_TRAIN}", "not read by the loader"),
            help="start recipe.dapo.main_dapo to generate more than is trained on, or leave gen_batch_size out",
        )
        return
    if train % generate == 0 or version.assumed or run.text("verl:trainer.v1.trainer_mode") != "sync":
        return
    if run.flag("verl:algorithm.filter_groups.enable") is not True:
        yield run.finding(
            f"train_batch_size {train} is not a multiple of gen_batch_size {generate}: the trainer fetches whole batches",
            (f"verl:{_TRAIN}", f"{train} prompts"),
            (f"verl:{_GENERATE}", f"{generate} prompts"),
            help="choose a divisor of train_batch_size, or leave gen_batch_size out",
            severity=Severity.ERROR,
        )
