"""A rollout engine that verl does not have.

## What it checks
`rollout.name` is another spelling of one of verl's engines, or one that the named release dropped: `hf` since 0.7,
`sglang_async` since 0.5. Other names are left alone: projects add engines.

## Why it matters
verl looks the engine up by its name and stops when it builds the workers.

## Example
    actor_rollout_ref.rollout.name=vLLM

## Instead
    actor_rollout_ref.rollout.name=vllm

## Fix safety
Unsafe for another engine, which samples in its own way.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._choices import choice
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_NAME = "actor_rollout_ref.rollout.name"
_RETIRED = {"hf": "0.7", "sglang_async": "0.5"}


@rule(
    id="VE087",
    name="rollout-engine-unknown",
    summary="rollout.name is an engine that the release does not have",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.3"},
    when={"verl:actor_rollout_ref.rollout.name": SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/rollout/base.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/rollout/base.py",
            "The registry has vllm, sglang and trtllm, each for the mode async.",
        ),
        Evidence(
            "verl 0.6.1: verl/workers/fsdp_workers.py",
            "https://github.com/verl-project/verl/blob/v0.6.1/verl/workers/fsdp_workers.py",
            "hf has a rollout of its own, which 0.7 no longer has.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for a name that no engine has."""
    version = run.run.settings["verl"].version
    name = run.text(f"verl:{_NAME}")
    if name == "???":
        return
    if name in _RETIRED:
        if not version.assumed and satisfies(version.text, f">={_RETIRED[name]}"):
            yield run.finding(
                f"rollout.name {name} was dropped in verl {_RETIRED[name]}, and {version.text} is in use",
                (f"verl:{_NAME}", "no such engine"),
                help="vllm and sglang are there in every release",
            )
        return
    engines = ("vllm", "sglang", "trtllm") if satisfies(version.text, ">=0.7.1") else ("vllm", "sglang")
    yield from choice(run, _NAME, engines, "verl stops when it builds the workers")
