"""Groups of two or three samples.

## What it checks
A group-relative advantage over groups of two or three samples, unless groups without signal are filtered and replaced.

## Why it matters
With a pass rate of p a group of n samples teaches nothing with probability p^n + (1-p)^n, since all of its rewards are equal. At
p = 0.8 that is 68 % of groups of two, 52 % of three and 17 % of eight. No framework asks for more than two; what n is worth its
cost depends on the pass rate. `grpolint lab groups` prints the table.

## Example
    algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=2

## Instead
    algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=8

## Fix safety
Unsafe: a larger group multiplies the work of a step and changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_RATE = 0.8
"""Pass rate of the example in the message."""


@rule(
    id="GR003",
    name="small-group",
    summary="group-relative advantage over groups of two or three samples",
    severity=Severity.INFO,
    frameworks={"verl": "", "trl": "", "openrlhf": "", "megatron": ""},
    when={"fact:group_relative": True, "fact:group_size": (2, 3)},
    default=False,
    evidence=(
        Evidence(
            "arXiv 2503.14476 (DAPO), section 3.2",
            "https://arxiv.org/abs/2503.14476",
            "Groups whose rewards are all equal give no gradient and are replaced by dynamic sampling.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/core_algos.py",
            "The advantage is the reward minus the mean of its group: zero where all are equal.",
        ),
    ),
    aliases=("D07", "N11"),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for small groups."""
    size = run.integer("fact:group_size")
    if run.known("fact:group_relative") is not True or size not in (2, 3):
        return
    if run.known("fact:distillation") is True or run.known("fact:dynamic_sampling") is True:
        return
    dead = _RATE**size + (1 - _RATE) ** size
    yield run.finding(
        f"groups of {size} samples often teach nothing: at a pass rate of {_RATE} {dead:.0%} of them have equal rewards",
        ("fact:group_size", f"{size} samples per prompt"),
        help="more samples per prompt, or dynamic sampling; grpolint lab groups shows what each costs",
    )
