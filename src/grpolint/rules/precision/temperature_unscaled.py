"""A temperature that only the sampler knows.

## What it checks
GRPO in TRL before 0.16 with a `temperature` other than 1; the default is 0.9.

## Why it matters
Responses are sampled at that temperature, log-probabilities are computed at 1: the gradient is that of another policy than the
one that sampled.

## Example
    GRPOConfig(temperature=0.6)      with TRL 0.15

## Instead
    GRPOConfig(temperature=1.0)      with TRL 0.15, or TRL 0.16

## Fix safety
Unsafe: it changes what is sampled.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule, show
from grpolint.rules.precision._sampling import holds


@rule(
    id="PR021",
    name="temperature-unscaled",
    summary="a temperature that the log-probabilities of old TRL leave out",
    severity=Severity.WARNING,
    frameworks={"trl": ">=0.14,<0.16"},
    evidence=(
        Evidence(
            "trl 0.15.2: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v0.15.2/trl/trainer/grpo_trainer.py",
            "The temperature reaches the sampler only.",
        ),
        Evidence(
            "trl 0.16.1: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v0.16.1/trl/trainer/grpo_trainer.py",
            "From here on logits are divided by it.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it is not 1."""
    if run.run.fact("advantage") is None or not holds(run, "trl:temperature"):
        return
    value = run.number("trl:temperature")
    if value is not None and value != 1:
        yield run.finding(
            f"responses are sampled at temperature {show(value)}, but TRL before 0.16 computes log-probabilities at 1",
            ("trl:temperature", "for the sampler only"),
            changes=(SetOption("trl", "temperature", 1.0),),
        )
