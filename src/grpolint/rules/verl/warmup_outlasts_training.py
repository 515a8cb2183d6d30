"""A warmup that does not end before training does.

## What it checks
`optim.lr_warmup_steps` is not below `trainer.total_training_steps` (of more than 20), or
`optim.lr_warmup_steps_ratio` is 1 or more.

## Why it matters
The learning rate rises through the whole run and never reaches `optim.lr`.

## Example
    trainer.total_training_steps=100 actor_rollout_ref.actor.optim.lr_warmup_steps=200

## Instead
    trainer.total_training_steps=100 actor_rollout_ref.actor.optim.lr_warmup_steps=10

## Fix safety
Unsafe: it changes the learning rate over the run.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.verl._trainer import ppo_trainer

_STEPS = "actor_rollout_ref.actor.optim.lr_warmup_steps"
_RATIO = "actor_rollout_ref.actor.optim.lr_warmup_steps_ratio"
_TOTAL = "trainer.total_training_steps"
_TRIAL = 20
"""So few steps are a trial of the machinery, in which the learning rate does not matter."""


@rule(
    id="VE090",
    name="warmup-outlasts-training",
    summary="the warmup takes all of the training steps",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.3"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine/fsdp/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/fsdp/transformer_impl.py",
            "lr_warmup_steps decides if above 0, else the ratio times all steps; the rate rises linearly through them.",
        ),
        Evidence(
            "verl 0.4.1: verl/workers/fsdp_workers.py",
            "https://github.com/verl-project/verl/blob/v0.4.1/verl/workers/fsdp_workers.py",
            "The same.",
        ),
    ),
    when={f"verl:{_STEPS}|verl:{_RATIO}": above(0)},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the learning rate is never reached."""
    warmup, ratio = run.integer(f"verl:{_STEPS}"), run.number(f"verl:{_RATIO}")
    if warmup is not None and warmup > 0:
        total = run.integer(f"verl:{_TOTAL}")
        if total is not None and _TRIAL < total <= warmup:
            yield run.finding(
                f"lr_warmup_steps {warmup} >= total_training_steps {total}: the learning rate is never reached",
                (f"verl:{_STEPS}", f"{warmup} steps"),
                (f"verl:{_TOTAL}", f"{total} steps"),
                help="a warmup of a tenth of the steps or less is usual",
            )
    elif ratio is not None and ratio >= 1:
        yield run.finding(
            f"lr_warmup_steps_ratio {ratio:g} is a share of all steps: the learning rate is never reached",
            (f"verl:{_RATIO}", "all of the run"),
            help="write a share below 1, or the number as lr_warmup_steps",
        )
