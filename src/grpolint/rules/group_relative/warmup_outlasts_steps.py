"""A warmup that does not end before training does.

## What it checks
`warmup_steps` is not below `max_steps` (of more than 20), where both are counted: in TRL, ms-swift, axolotl and EasyR1. VE090
says the same of verl.

## Why it matters
The learning rate rises through the whole run and never reaches what is written.

## Example
    GRPOConfig(max_steps=100, warmup_steps=200)

## Instead
    GRPOConfig(max_steps=100, warmup_steps=10)

## Fix safety
Unsafe: it changes the learning rate over the run.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_TRIAL = 20
"""So few steps are a trial of the machinery, in which the learning rate does not matter."""


@rule(
    id="GR025",
    name="warmup-outlasts-steps",
    summary="the warmup takes all of the training steps",
    severity=Severity.WARNING,
    frameworks={"trl": "", "ms-swift": "", "axolotl": "", "easyr1": ""},
    when={"fact:warmup_steps": above(_TRIAL), "fact:total_steps": above(_TRIAL)},
    evidence=(
        Evidence(
            "transformers 5.24.0: src/transformers/optimization.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/optimization.py",
            "All schedules rise linearly through the warmup steps, whatever the number of steps is.",
        ),
        Evidence(
            "EasyR1 0.3.2: verl/workers/fsdp_workers.py",
            "https://github.com/hiyouga/EasyR1/blob/v0.3.2/verl/workers/fsdp_workers.py",
            "lr_warmup_steps is taken as it is; trainer.max_steps is the number of steps.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the learning rate is never reached."""
    warmup, total = run.integer("fact:warmup_steps"), run.integer("fact:total_steps")
    if warmup is None or total is None or not _TRIAL < total <= warmup:
        return
    yield run.finding(
        f"a warmup of {warmup} steps >= {total} steps of training: the learning rate is never reached",
        ("fact:warmup_steps", f"{warmup} steps"),
        ("fact:total_steps", f"{total} steps"),
        help="a warmup of a tenth of the steps or less is usual",
    )
