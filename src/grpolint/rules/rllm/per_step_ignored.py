"""Step-wise advantages in the unified trainer.

## What it checks
`rllm.stepwise_advantage.enable=True` with `mode=per_step` where the unified trainer trains.

## Why it matters
The unified trainer replaces the mode by `broadcast`: every step of a trajectory gets the advantage of the whole. One warning
in the log says so.

## Example
    rllm/backend=verl rllm.stepwise_advantage.enable=True rllm.stepwise_advantage.mode=per_step

## Instead
    rllm/backend=verl rllm.stepwise_advantage.enable=True rllm.stepwise_advantage.mode=broadcast

## Fix safety
Safe: it writes what the trainer does.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Condition, equals, on, together

_MODE = "rllm.stepwise_advantage.mode"


@rule(
    id="RL003",
    name="per-step-advantage-ignored",
    summary="step-wise advantages that the unified trainer replaces",
    severity=Severity.WARNING,
    frameworks={"rllm": ">=0.3.0rc0"},
    evidence=(
        Evidence(
            "rllm 0.3.0-pre: rllm/experimental/common/config.py",
            "https://github.com/rllm-org/rllm/blob/v0.3.0-pre/rllm/experimental/common/config.py",
            "The mode per_step is deprecated there and set to broadcast.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    unified = Condition("rllm:rllm.backend", lambda inquiry, ref: inquiry.known(ref) is not None)
    yield from together(
        run,
        "the unified trainer replaces step-wise advantages (per_step) by broadcast",
        equals(f"rllm:{_MODE}", "per_step", label="replaced"),
        on("rllm:rllm.stepwise_advantage.enable"),
        unified,
        changes=(SetOption("rllm", _MODE, "broadcast", safe=True),),
    )
