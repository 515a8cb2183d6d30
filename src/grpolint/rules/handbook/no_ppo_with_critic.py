"""No PPO with a critic on a small card.

## What it checks
No critic is trained where the accelerator has less than the 65.06 GiB that the handbook reckons for PPO.

## Why it matters
The handbook: 65.06 GiB do not fit into the 24 GiB of an RTX 4090.

## Example
    {"use_critic": true, "gpu": "rtx4090"}

## Instead
    {"use_critic": false, "gpu": "rtx4090"}

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import need, training
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated

NEEDED = 65.06
"""Memory of PPO in GiB; the handbook does not say for which model."""


@stated("N08", "no-ppo-with-critic", "no PPO with a critic on a card of less than 65.06 GiB")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where it does not fit."""
    training(run)
    if need(run, "uses_critic", "a critic") is not True:
        return
    memory = run.require("fact:gpu_memory")
    if memory < NEEDED:
        yield run.finding(
            f"PPO with a critic: {NEEDED} GiB by the handbook's reckoning > {memory} GiB of the accelerator",
            ("fact:uses_critic", "a critic is trained"),
            ("fact:gpu_memory", f"{memory} GiB"),
            changes=remedy(run, "uses_critic", False),
            help="train without a critic",
        )
