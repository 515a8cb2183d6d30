"""Messages that the rollout needs and the data set does not return.

## What it checks
`data.return_raw_chat` is off while the rollout builds its prompts from messages: with `rollout.mode=async` in verl
0.5 and 0.6, with `multi_turn.enable` and SGLang from 0.4.1 to 0.6.

## Why it matters
The rollout looks for the messages of each prompt and stops at a KeyError or an assertion, after all models are
loaded.

## Example
    actor_rollout_ref.rollout.mode=async

## Instead
    actor_rollout_ref.rollout.mode=async data.return_raw_chat=True

## Fix safety
Safe: the run does not get past its first batch otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_RAW = "data.return_raw_chat"


@rule(
    id="VE089",
    name="raw-chat-missing",
    summary="the rollout needs data.return_raw_chat=True",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4.1,<0.7"},
    when={"verl:data.return_raw_chat": False},
    evidence=(
        Evidence(
            "verl 0.6.1: verl/workers/rollout/sglang_rollout/sglang_rollout.py",
            "https://github.com/verl-project/verl/blob/v0.6.1/verl/workers/rollout/sglang_rollout/sglang_rollout.py",
            "Asserts that the batch has raw_prompt and names the option.",
        ),
        Evidence(
            "verl 0.5.0: verl/experimental/agent_loop/agent_loop.py",
            "https://github.com/verl-project/verl/blob/v0.5.0/verl/experimental/agent_loop/agent_loop.py",
            "The agent loop reads raw_prompt of the batch.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the messages are missing."""
    if run.run.trainer != "verl" or run.flag(f"verl:{_RAW}") is not False:
        return  # trainers on top of verl bring prompts of their own
    if run.known("verl:data.custom_cls.path") not in (None, ""):
        return  # a data set of the user's may return the messages itself
    version = run.run.settings["verl"].version.text
    asynchronous = run.text("verl:actor_rollout_ref.rollout.mode") == "async" and satisfies(version, ">=0.5")
    turns = "actor_rollout_ref.rollout.multi_turn.enable"
    if asynchronous:
        key, what = "actor_rollout_ref.rollout.mode", "rollout.mode=async"
    elif run.flag(f"verl:{turns}") is True and run.text("fact:rollout_engine") == "sglang":
        key, what = turns, "a multi-turn rollout of SGLang"
    else:
        return
    yield run.finding(
        f"{what} builds prompts from messages, which data.return_raw_chat=False does not return",
        (f"verl:{key}", "needs the messages"),
        (f"verl:{_RAW}", "not returned"),
        changes=(SetOption("verl", _RAW, value=True, safe=True),),
    )
