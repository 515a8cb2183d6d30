"""Validation that samples or not against what its switch says.

## What it checks
`rollout.val_kwargs.do_sample=True` with `val_kwargs.temperature` 0, its default; or, since verl 0.7,
`do_sample=False` with a temperature above 0.

## Why it matters
The temperature decides. At 0 the engine takes the most likely token, so that pass@1 is that of greedy decoding. Since
0.7 nothing reads the switch, and a temperature above 0 samples.

## Example
    actor_rollout_ref.rollout.val_kwargs.do_sample=True

## Instead
    actor_rollout_ref.rollout.val_kwargs.do_sample=True actor_rollout_ref.rollout.val_kwargs.temperature=1.0

## Fix safety
Unsafe: it changes what is measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_SAMPLE = "actor_rollout_ref.rollout.val_kwargs.do_sample"
_HEAT = "actor_rollout_ref.rollout.val_kwargs.temperature"


@rule(
    id="VE100",
    name="sampling-switch-unread",
    summary="val_kwargs.do_sample does not decide whether validation samples",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.3"},
    when={"verl:actor_rollout_ref.rollout.val_kwargs.do_sample": SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/experimental/agent_loop/agent_loop.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/experimental/agent_loop/agent_loop.py",
            "Sampling parameters of validation are temperature, top_p and top_k of val_kwargs; do_sample is not among them.",
        ),
        Evidence(
            "verl 0.6.1: verl/workers/rollout/vllm_rollout/vllm_rollout_spmd.py",
            "https://github.com/verl-project/verl/blob/v0.6.1/verl/workers/rollout/vllm_rollout/vllm_rollout_spmd.py",
            "do_sample off made the temperature 0; on, the temperature was taken as it is.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if switch and temperature contradict each other."""
    written = run.setting(f"verl:{_SAMPLE}")
    if written is None or written.form == "yaml":
        return  # a base configuration says nothing of what was meant
    version = run.run.settings["verl"].version
    samples, heat = run.flag(f"verl:{_SAMPLE}"), run.number(f"verl:{_HEAT}")
    if samples is None or heat is None or (run.integer("verl:actor_rollout_ref.rollout.val_kwargs.n") or 1) > 1:
        return
    if samples and heat == 0:
        yield run.finding(
            "val_kwargs.do_sample is on and val_kwargs.temperature 0: validation is greedy",
            (f"verl:{_SAMPLE}", "does not decide"),
            (f"verl:{_HEAT}", "takes the most likely token"),
            changes=(SetOption("verl", _HEAT, 1.0),),
        )
    elif not samples and heat > 0 and not version.assumed and satisfies(version.text, ">=0.7"):
        yield run.finding(
            f"val_kwargs.do_sample is off and not read since verl 0.7: temperature {heat:g} samples",
            (f"verl:{_SAMPLE}", "not read"),
            (f"verl:{_HEAT}", "samples"),
            changes=(SetOption("verl", _HEAT, 0),),
        )
