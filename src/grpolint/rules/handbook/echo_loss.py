"""The ECHO loss.

## What it checks
The auxiliary loss on the environment's observations is on. No released trainer has it, so that only a flat
configuration can say so.

## Why it matters
The handbook: it is free.

## Example
    {"auxiliary_loss": "none", "use_critic": false}

## Instead
    {"auxiliary_loss": "echo", "use_critic": false}

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry, NotApplicable
from grpolint.rules.handbook._asking import training
from grpolint.rules.handbook._stated import stated


@stated("D18", "echo-loss", "the ECHO loss on observations is added")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where another loss, or none, is told."""
    training(run)
    loss = run.known("fact:auxiliary_loss")
    if loss is None:
        raise NotApplicable("no released trainer has the ECHO loss: it is on feature branches only")
    if loss != "echo":
        yield run.finding(
            "the ECHO loss is not in use", ("fact:auxiliary_loss", str(loss)), help="train with a branch that has it"
        )
