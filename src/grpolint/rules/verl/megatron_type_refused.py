"""A compute type that verl's Megatron engine does not take.

## What it checks
`actor.megatron.dtype` is neither `bfloat16` nor `float16`, written in full.

## Why it matters
The configuration of the engine asserts that it is one of the two: `bf16` and `float32` stop the run at the start.

## Example
    actor_rollout_ref.actor.megatron.dtype=bf16

## Instead
    actor_rollout_ref.actor.megatron.dtype=bfloat16

## Fix safety
Safe for another spelling.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._choices import choice
from grpolint.rules.verl._trainer import ppo_trainer

_TYPE = "actor_rollout_ref.actor.megatron.dtype"
_MEANT = {
    **dict.fromkeys(("bf16", "fp32", "float32", "float"), "bfloat16"),
    **dict.fromkeys(("fp16", "half"), "float16"),
}


@rule(
    id="VE104",
    name="megatron-type-refused",
    summary="megatron.dtype is neither bfloat16 nor float16",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7"},
    when={"verl:actor_rollout_ref.actor.megatron.dtype": SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/config/engine.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/engine.py",
            "McoreEngineConfig asserts that dtype is bfloat16 or float16.",
        ),
        Evidence(
            "verl 0.7.0: verl/workers/config/engine.py",
            "https://github.com/verl-project/verl/blob/v0.7.0/verl/workers/config/engine.py",
            "The same.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for another type."""
    if run.text("fact:engine") == "megatron":
        yield from choice(run, _TYPE, ("bfloat16", "float16"), "verl stops at an assertion", closed=True, meant=_MEANT)
