"""Optimizer steps that see one prompt.

## What it checks
The batch of an optimizer step, over all devices and accumulated micro batches, is one group, unless groups without signal are
filtered and replaced.

## Why it matters
The gradient is that of one question. Where all of its responses have one reward, there is none: with a pass rate of 0.8 and 8
responses in 17 % of the steps, with 4 in 41 %. Rewards and gradient norms then look like noise.

## Example
    GRPOConfig(per_device_train_batch_size=8, gradient_accumulation_steps=1, num_generations=8)

## Instead
    GRPOConfig(per_device_train_batch_size=8, gradient_accumulation_steps=16, num_generations=8)

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.verl._trainer import ppo_trainer

_RATE = 0.8
"""Pass rate of the example in the message."""
_TRIAL = 20
"""So few steps are a trial of the machinery."""
_LARGE = 16
"""Responses from which on a group seldom is without a gradient."""


@rule(
    id="GR024",
    name="one-prompt-updates",
    summary="an optimizer step sees the responses to one prompt only",
    severity=Severity.INFO,
    default=False,
    when={"fact:mini_batch_prompts": 1},
    evidence=(
        Evidence(
            "arXiv 2503.14476 (DAPO), section 3.2",
            "https://arxiv.org/abs/2503.14476",
            "Groups whose rewards are all equal give no gradient; fewer prompts with a gradient make it noisier.",
        ),
        Evidence(
            "verl 0.9.1: examples/grpo_trainer",
            "https://github.com/verl-project/verl/tree/v0.9.1/examples/grpo_trainer",
            "The examples take 32 to 512 prompts for an optimizer step.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the share of steps without a gradient."""
    if run.integer("fact:mini_batch_prompts") != 1 or run.known("fact:group_relative") is not True:
        return
    size = run.integer("fact:group_size")
    if size is None or not 1 < size < _LARGE:
        return
    if run.known("fact:distillation") is True or run.known("fact:dynamic_sampling") is True:
        return
    steps = run.integer("fact:total_steps")
    if steps is not None and steps <= _TRIAL:
        return
    if run.run.trainer == "verl" and run.flag("verl:trainer.val_only") is True:
        raise NotApplicable
    dead = _RATE**size + (1 - _RATE) ** size
    yield run.finding(
        f"an optimizer step sees {size} responses to one prompt: at a pass rate of {_RATE} {dead:.0%} of the steps have no "
        "gradient at all",
        ("fact:mini_batch_prompts", "one prompt"),
        ("fact:group_size", f"{size} responses"),
        help="accumulate gradients over more prompts, 16 or more",
    )
