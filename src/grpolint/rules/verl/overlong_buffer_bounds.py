"""A penalty for long answers whose bounds do not fit.

## What it checks
With the overlong buffer switched on and the reward manager `dapo`, which alone reads it (`reward_model.overlong_buffer`: in programs of DAPO's
recipe only): its length is not between 1 and the longest response; `max_resp_len` is missing;
`max_resp_len` differs from `data.max_response_length`.

## Why it matters
The penalty starts at max_resp_len - len and reaches its full size at max_resp_len. verl asserts that the buffer is
not longer than the response; a buffer of 0 divides by zero before 0.7.1 and is refused since. With another
`max_resp_len` than the responses have, the penalty begins at the wrong place, or never.

## Example
    reward_model.reward_manager=dapo data.max_response_length=4096
    +reward_model.reward_kwargs.overlong_buffer_cfg.enable=True +reward_model.reward_kwargs.overlong_buffer_cfg.len=8192

## Instead
    reward_model.reward_manager=dapo data.max_response_length=4096
    +reward_model.reward_kwargs.overlong_buffer_cfg.enable=True +reward_model.reward_kwargs.overlong_buffer_cfg.len=1024
    +reward_model.reward_kwargs.max_resp_len=4096

## Fix safety
None is offered: how long answers may be is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_WHERE = (
    ("reward_model.reward_kwargs.overlong_buffer_cfg", "reward_model.reward_kwargs.max_resp_len"),
    ("reward.reward_kwargs.overlong_buffer_cfg", "reward.reward_kwargs.max_resp_len"),
    ("reward_model.overlong_buffer", "data.max_response_length"),
)
"""Sections of the buffer, and what its reward manager gets as the longest response."""


@rule(
    id="VE058",
    name="overlong-buffer-bounds",
    summary="the overlong buffer does not fit the longest response",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/experimental/reward_loop/reward_manager/dapo.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/experimental/reward_loop/reward_manager/dapo.py",
            "Asserts that max_resp_len is given, that it is at least the length of the buffer, and that this is above 0.",
        ),
        Evidence(
            "verl-project/verl#5216",
            "https://github.com/verl-project/verl/pull/5216",
            "A buffer of 0 made the penalty divide by zero; releases since 0.7.1 refuse it.",
            "confirmed",
        ),
    ),
    when={"|".join(f"verl:{buffer}.enable" for buffer, _ in _WHERE): True},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each buffer that does not fit."""
    for buffer, bound in _WHERE:
        if run.flag(f"verl:{buffer}.enable") is not True or not _read(run, buffer):
            continue
        length, longest = run.integer(f"verl:{buffer}.len"), run.integer(f"verl:{bound}")
        response = run.integer("fact:response_length")
        if longest is None:
            message = "the overlong buffer is on and max_resp_len is not set: the reward manager stops at an assertion"
            yield run.finding(message, (f"verl:{buffer}.enable", "needs max_resp_len"), help=f"set {bound}")
        elif length is not None and not 0 < length <= longest:
            yield run.finding(
                f"overlong buffer {length} is not between 1 and the longest response {longest}",
                (f"verl:{buffer}.len", f"{length} tokens"),
                (f"verl:{bound}", f"{longest} tokens"),
                help="choose a buffer that is a part of the longest response",
            )
        elif response is not None and longest != response:
            yield run.finding(
                f"max_resp_len {longest} differs from max_response_length {response}: the penalty begins at the wrong length",
                (f"verl:{bound}", f"{longest} tokens"),
                ("fact:response_length", f"{response} tokens"),
                severity=Severity.WARNING,
            )


def _read(run: Inquiry, buffer: str) -> bool:
    """Whether the reward manager reads that section: dapo does, in main_ppo from reward_kwargs, in DAPO's recipe from the other."""
    if buffer == "reward_model.overlong_buffer" and "dapo" not in run.run.program.lower():
        return False
    names = ("reward_model.reward_manager", "reward.reward_manager.name")
    return any(run.text(f"verl:{key}") == "dapo" for key in names if run.is_set(f"verl:{key}"))
