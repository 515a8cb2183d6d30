"""Bypass mode.

## What it checks
The rollout engine's log-probabilities stand for those of the old policy (verl's `bypass_mode`).

## Why it matters
The handbook: it skips the forward pass that computes the old log-probabilities.

## Example
    {"bypass_mode": false}

## Instead
    {"bypass_mode": true}

## Fix safety
Unsafe: the engines' mismatch becomes part of the ratio that PPO clips.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry, NotApplicable
from grpolint.rules.handbook._asking import need, title, training
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("D03", "bypass-mode-on", "bypass mode is on")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where it is off."""
    training(run)
    if need(run, "bypass_mode", "bypass mode") is True:
        return
    changes = remedy(run, "bypass_mode", True)
    if not changes:
        raise NotApplicable(f"{title(run)} has no bypass mode")
    yield run.finding(
        "bypass mode is off: the old log-probabilities cost a forward pass",
        ("fact:bypass_mode", "off"),
        changes=changes,
    )
