"""Sampling options that do not reach the engine.

## What it checks
`rollout.repetition_penalty` other than 1 in verl from 0.7 on, and `rollout.ignore_eos` with vLLM in verl 0.7 and 0.8.

## Why it matters
All samples of these releases go through the agent loop. It writes a penalty of 1.0 into each request, and does not hand the other
option on: training goes on without them.

## Example
    +actor_rollout_ref.rollout.repetition_penalty=1.05      with verl 0.8

## Instead
    actor_rollout_ref.rollout.temperature=1.0

## Fix safety
Safe: leaving out what has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.engines import removal
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_PENALTY = "verl:actor_rollout_ref.rollout.repetition_penalty"
_EOS = "verl:actor_rollout_ref.rollout.ignore_eos"


@rule(
    id="PR026",
    name="sampling-option-ignored",
    summary="sampling options that verl's agent loop overrules",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.7"},
    when={f"{_PENALTY}|{_EOS}": SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/experimental/agent_loop/agent_loop.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/experimental/agent_loop/agent_loop.py",
            "The sampling parameters of each request hold a repetition_penalty of 1.0.",
        ),
        Evidence(
            "verl 0.7.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "https://github.com/verl-project/verl/blob/v0.7.1/verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "The server fills in only what a request leaves out; ignore_eos is not handed on.",
        ),
        Evidence(
            "verl-project/verl#6630",
            "https://github.com/verl-project/verl/pull/6630",
            "ignore_eos reaches vLLM from 0.9.0 on.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each of them."""
    version = run.run.settings["verl"].version.text
    penalty = run.number(_PENALTY) if run.is_set(_PENALTY) else None
    if penalty not in (None, 1):
        yield run.finding(
            f"verl {version} samples with a repetition_penalty of 1.0, whatever rollout.repetition_penalty says",
            (_PENALTY, "of no effect"),
            changes=(removal(_PENALTY, safe=True),),
        )
    if satisfies(version, "<0.9") and run.text("fact:rollout_engine") == "vllm" and run.flag(_EOS) is True:
        yield run.finding(
            f"verl {version} does not hand ignore_eos on to vLLM: responses end where they end",
            (_EOS, "of no effect"),
            help="use verl 0.9 or later",
        )
