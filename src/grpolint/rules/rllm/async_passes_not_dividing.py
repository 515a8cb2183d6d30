"""Asynchronous training with passes that do not make up a mini batch.

## What it checks
`rllm.async_training.mini_batch_size` must be a multiple of `rllm.async_training.fwd_bwd_group_size`.

## Why it matters
The unified trainer stops with an assertion when it is set up.

## Example
    rllm.async_training.enable=true rllm.async_training.mini_batch_size=32 rllm.async_training.fwd_bwd_group_size=12

## Instead
    rllm.async_training.enable=true rllm.async_training.mini_batch_size=32 rllm.async_training.fwd_bwd_group_size=8

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple

_ASYNC = "rllm:rllm.async_training"


@rule(
    id="RL005",
    name="async-passes-not-dividing",
    summary="the asynchronous mini batch is no multiple of its passes",
    severity=Severity.ERROR,
    frameworks={"rllm": ">=0.3.0rc0"},
    evidence=(
        Evidence(
            "rllm 0.3.0-pre: rllm/experimental/common/config.py",
            "https://github.com/rllm-org/rllm/blob/v0.3.0-pre/rllm/experimental/common/config.py",
            "AsyncTrainingConfig asserts that mini_batch_size is a multiple of fwd_bwd_group_size.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag(f"{_ASYNC}.enable") is not True:
        return
    mini = Size.of(run, Term(f"{_ASYNC}.mini_batch_size", "async_training.mini_batch_size"))
    group = Size.of(run, Term(f"{_ASYNC}.fwd_bwd_group_size", "fwd_bwd_group_size"))
    yield from multiple(run, mini, group, "rLLM stops with an assertion")
