"""Several greedy answers to each validation prompt.

## What it checks
`rollout.val_kwargs.n` above 1 while the validation temperature is 0.

## Why it matters
Greedy decoding gives the same answer each time (up to rounding): the validation costs n times as much and its spread
means nothing.

## Example
    actor_rollout_ref.rollout.val_kwargs.n=8 actor_rollout_ref.rollout.val_kwargs.temperature=0

## Instead
    actor_rollout_ref.rollout.val_kwargs.n=8 actor_rollout_ref.rollout.val_kwargs.temperature=1.0 actor_rollout_ref.rollout.val_kwargs.do_sample=True

## Fix safety
None is offered: one answer or a temperature is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.relations import Condition, minimum, together
from grpolint.rules.verl._trainer import foreign, ppo_trainer

_VALIDATION = "actor_rollout_ref.rollout.val_kwargs"


@rule(
    id="VE023",
    name="greedy-validation-repeated",
    summary="val_kwargs.n above 1 with temperature 0",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.3"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/experimental/agent_loop/agent_loop.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/experimental/agent_loop/agent_loop.py",
            "Validation takes its temperature from val_kwargs, 0 by default, whatever do_sample says.",
        ),
    ),
    when={"verl:actor_rollout_ref.rollout.val_kwargs.n": SET},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if foreign(run) is not None:  # SPIN and its kin draw the pairs that they train on in this way
        raise NotApplicable
    number = run.integer(f"verl:{_VALIDATION}.n")
    if number is None or number < 2 or not run.is_set(f"verl:{_VALIDATION}.n"):
        return
    yield from together(
        run,
        f"{number} greedy answers to each validation prompt are {number} times the same",
        Condition(f"verl:{_VALIDATION}.temperature", lambda run, ref: run.number(ref) == 0, "greedy"),
        minimum(f"verl:{_VALIDATION}.n", 2, "answers to each prompt"),
        help="set val_kwargs.temperature above 0 with do_sample=True, or val_kwargs.n=1",
    )
