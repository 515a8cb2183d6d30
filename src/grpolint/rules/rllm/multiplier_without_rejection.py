"""More prompts than a batch takes, and no rejection sampling that would choose among them.

## What it checks
`rllm.rejection_sample.multiplier` other than 1 while `rllm.rejection_sample.enable` is off.

## Why it matters
The workflow trainer and the unified trainer stop with an assertion once the models are loaded. The trainer of agents and
environments goes on with batches that many times as large as `data.train_batch_size` says.

## Example
    data.train_batch_size=32 rllm.rejection_sample.multiplier=2

## Instead
    data.train_batch_size=32 rllm.rejection_sample.enable=True rllm.rejection_sample.multiplier=2

## Fix safety
None is offered: sampling more and rejecting, or not sampling more, is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_ENABLE = "rllm:rllm.rejection_sample.enable"
_MULTIPLIER = "rllm:rllm.rejection_sample.multiplier"


@rule(
    id="RL001",
    name="multiplier-without-rejection",
    summary="rejection_sample.multiplier without rejection sampling",
    severity=Severity.ERROR,
    frameworks={"rllm": ">=0.2"},
    evidence=(
        Evidence(
            "rllm 0.2.1: rllm/trainer/verl/agent_workflow_trainer.py",
            "https://github.com/rllm-org/rllm/blob/v0.2.1/rllm/trainer/verl/agent_workflow_trainer.py",
            "Asserts that rejection sampling is enabled where the multiplier is not 1.",
        ),
        Evidence(
            "rllm 0.3.0-pre: rllm/experimental/unified_trainer.py",
            "https://github.com/rllm-org/rllm/blob/v0.3.0-pre/rllm/experimental/unified_trainer.py",
            "The unified trainer asserts the same for every backend.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    multiplier = run.number(_MULTIPLIER)
    if multiplier is None or multiplier == 1 or run.flag(_ENABLE) is not False:
        return
    agents = any(run.is_set(f"rllm:AgentTrainer.{name}") for name in ("agent_class", "env_class"))
    effect = "batches grow and nothing is rejected" if agents else "rLLM stops with an assertion"
    yield run.finding(
        f"rejection_sample.multiplier is {multiplier:g} and rejection sampling is off: {effect}",
        (_MULTIPLIER, f"{multiplier:g} times the prompts of a batch"),
        (_ENABLE, "off"),
        help="set rllm.rejection_sample.enable=True, or the multiplier to 1",
        severity=Severity.WARNING if agents else None,
    )
