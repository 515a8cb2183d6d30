"""Asynchronous training while a failed task ends the program.

## What it checks
`rllm.async_training.enable=true` with `rllm.workflow.raise_on_error` on, which is the default.

## Why it matters
The unified trainer stops with an assertion when training begins, after the models are loaded and the engines started. Tasks
on a remote runtime never raise and are not meant.

## Example
    rllm.async_training.enable=true rllm.async_training.mini_batch_size=32

## Instead
    rllm.async_training.enable=true rllm.async_training.mini_batch_size=32 rllm.workflow.raise_on_error=false

## Fix safety
Safe: the run does not start otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import off, on, together

_RAISES = "rllm.workflow.raise_on_error"


@rule(
    id="RL004",
    name="async-training-raises",
    summary="asynchronous training with raise_on_error",
    severity=Severity.ERROR,
    frameworks={"rllm": ">=0.3.0rc0"},
    evidence=(
        Evidence(
            "rllm 0.3.0-pre: rllm/experimental/unified_trainer.py",
            "https://github.com/rllm-org/rllm/blob/v0.3.0-pre/rllm/experimental/unified_trainer.py",
            "Asserts that raise_on_error is off before asynchronous training begins.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "asynchronous training demands rllm.workflow.raise_on_error=false and stops with an assertion",
        on("rllm:rllm.async_training.enable", "asynchronous"),
        on(f"rllm:{_RAISES}", "a failed task ends the program"),
        off("rllm:rllm.remote_runtime.enabled"),
        changes=(SetOption("rllm", _RAISES, False, safe=True),),
    )
