"""A mandatory value that nobody gives.

## What it checks
Options without a default that every run reads, and flags that end without their value.

## Why it matters
The program stops at the start, or when the option is first read.

## Example
    python3 -m verl.trainer.main_ppo data.train_files=train.parquet      without actor_rollout_ref.rollout.name

## Instead
    python3 -m verl.trainer.main_ppo data.train_files=train.parquet actor_rollout_ref.rollout.name=vllm

## Fix safety
None is offered: which value is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, Undecided, rule
from grpolint.rules.configuration._complaints import findings, open_release
from grpolint.rules.verl._trainer import ppo_trainer


@rule(
    id="CF005",
    name="value-missing",
    summary="an option that must be given and is not",
    severity=Severity.ERROR,
    evidence=(
        Evidence(
            "OmegaConf documentation: mandatory missing values",
            "https://omegaconf.readthedocs.io/en/latest/usage.html#mandatory-missing-values",
            "Reading a value that is ??? raises MissingMandatoryValue.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/config/rollout/rollout.yaml",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/config/rollout/rollout.yaml",
            "The engine of the rollout has no default.",
        ),
    ),
    when={"complaint:missing-value": SET},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each; undecided where the release is not known, which may have a default for it."""
    if run.run.launch is None:  # a base file leaves it to the launch
        return
    yield from findings(run, "missing-value", label="no value")
    unsure = [each for each in run.run.complaints if each.kind == "missing-value" and open_release(each)]
    if unsure:
        raise Undecided(*(f"{each.framework}:{each.key} (version:{each.framework})" for each in unsure))
