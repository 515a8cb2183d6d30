"""Groups sampled without any randomness.

## What it checks
`temperature` 0 in GRPO or RLOO.

## Why it matters
All responses of a prompt are the same, so that no advantage is left; and the trainer divides the logits by the
temperature.

## Example
    GRPOConfig(temperature=0.0)

## Instead
    GRPOConfig(temperature=1.0)

## Fix safety
Unsafe: it changes the sampling.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, below, rule


@rule(
    id="TR030",
    name="temperature-zero",
    summary="GRPO or RLOO at temperature 0",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.16"},
    when={"trl:temperature": below(1e-9)},
    evidence=(
        Evidence(
            "trl 0.16.1: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v0.16.1/trl/trainer/grpo_trainer.py",
            "Divides the logits by the temperature before the log-probabilities.",
        ),
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_trainer.py",
            "Hands the temperature to the engine and to the log-probabilities of the fused head.",
        ),
        Evidence(
            "Unsloth: unsloth/models/rl.py, as released in 2026.10.9",
            "https://github.com/unslothai/unsloth/blob/main/unsloth/models/rl.py",
            "Raises ValueError for a temperature of 0 or less.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("fact:group_relative") is not True:
        raise NotApplicable
    if run.number("trl:temperature") == 0:
        yield run.finding(
            "temperature is 0: the responses of a prompt are all the same, and the logits are divided by it",
            ("trl:temperature", "no randomness"),
            changes=(SetOption("trl", "temperature", 1.0),),
        )
