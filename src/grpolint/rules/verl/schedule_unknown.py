"""A learning rate schedule other than constant and cosine, under FSDP.

## What it checks
`optim.lr_scheduler_type` or its older name `optim.warmup_style` is neither `constant` nor `cosine`, for an actor
under FSDP.

## Why it matters
The configuration of the optimizer asserts that it is one of the two since 0.6; before, the worker raises
NotImplementedError.

## Example
    actor_rollout_ref.actor.optim.lr_scheduler_type=linear

## Instead
    actor_rollout_ref.actor.optim.lr_scheduler_type=cosine

## Fix safety
Unsafe: it changes the learning rate over the run.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._choices import choice
from grpolint.rules.verl._trainer import ppo_trainer

_MEANT = {
    **dict.fromkeys(("linear", "linear_decay", "wsd", "polynomial"), "cosine decays, and constant does not"),
    **dict.fromkeys(("constant_with_warmup", "none"), "constant: lr_warmup_steps warms it up"),
    "cosine_with_warmup": "cosine: lr_warmup_steps warms it up",
}


@rule(
    id="VE069",
    name="schedule-unknown",
    summary="a learning rate schedule that verl's FSDP optimizer does not have",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/config/optimizer.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/optimizer.py",
            "FSDPOptimizerConfig asserts that both names are constant or cosine.",
        ),
        Evidence(
            "verl 0.5.0: verl/workers/fsdp_workers.py",
            "https://github.com/verl-project/verl/blob/v0.5.0/verl/workers/fsdp_workers.py",
            "The worker raises NotImplementedError for another style.",
        ),
    ),
    when={"verl:actor_rollout_ref.actor.optim.lr_scheduler_type|verl:actor_rollout_ref.actor.optim.warmup_style": SET},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each schedule that is refused."""
    for key in ("lr_scheduler_type", "warmup_style"):
        ref = f"actor_rollout_ref.actor.optim.{key}"
        if run.is_set(f"verl:{ref}") and str(run.known("fact:engine")).startswith("fsdp"):
            yield from choice(run, ref, ("constant", "cosine"), "verl stops at the start", closed=True, meant=_MEANT)
