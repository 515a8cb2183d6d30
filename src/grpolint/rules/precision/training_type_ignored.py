"""A training type that nobody reads.

## What it checks
`fsdp_config.dtype` other than bfloat16 in verl from 0.8 on.

## Why it matters
The option is still there and still checked, but the engine takes its type from `mixed_precision.param_dtype`, and bfloat16 without it: a run
that was meant for float16 trains in bfloat16.

## Example
    actor_rollout_ref.actor.fsdp_config.dtype=float16      with verl 0.8

## Instead
    +actor_rollout_ref.actor.fsdp_config.mixed_precision.param_dtype=fp16

## Fix safety
Unsafe: it changes the type of training, to what was written.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_TYPE = "verl:actor_rollout_ref.actor.fsdp_config.dtype"
_READ = "actor_rollout_ref.actor.fsdp_config.mixed_precision.param_dtype"


@rule(
    id="PR025",
    name="training-type-ignored",
    summary="fsdp_config.dtype, which verl no longer reads",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.8"},
    when={_TYPE: ("float16", "fp16")},
    evidence=(
        Evidence(
            "verl 0.8.0: verl/workers/engine/fsdp/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/workers/engine/fsdp/transformer_impl.py",
            "The type comes from mixed_precision.param_dtype, bfloat16 without it; dtype is not read.",
        ),
        Evidence(
            "verl 0.7.1: verl/workers/fsdp_workers.py",
            "https://github.com/verl-project/verl/blob/v0.7.1/verl/workers/fsdp_workers.py",
            "The workers of before read fsdp_config.dtype.",
        ),
        Evidence(
            "verl-project/verl#6150",
            "https://github.com/verl-project/verl/pull/6150",
            "mixed_precision.param_dtype is what the engine honours.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if another type is written than is used."""
    wanted = run.text(_TYPE)
    if wanted not in ("float16", "fp16") or not str(run.text("fact:engine")).startswith("fsdp"):
        return
    if run.known(f"verl:{_READ}") is not None:
        return
    yield run.finding(
        f"verl {run.run.settings['verl'].version.text} does not read fsdp_config.dtype: the policy is trained in bfloat16, not in {wanted}",
        (_TYPE, "of no effect"),
        changes=(SetOption("verl", _READ, "fp16"),),
    )
