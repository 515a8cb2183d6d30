"""Ratios of whole sequences in a loss that sums tokens.

## What it checks
`importance_sampling_level=sequence` (GSPO) with one of the losses bnpo, dr_grpo, dapo or cispo, which sum over
tokens; one of them is the default (bnpo, dapo since 0.22).

## Why it matters
Each sequence then weighs as much as it is long, which is another objective than that of GSPO. TRL itself warns since
1.7.

## Example
    GRPOConfig(importance_sampling_level="sequence", epsilon=3e-4)

## Instead
    GRPOConfig(importance_sampling_level="sequence", loss_type="grpo", epsilon=3e-4)

## Fix safety
Unsafe: it changes the objective.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_SUMMED = ("bnpo", "dr_grpo", "dapo", "cispo")


@rule(
    id="TR028",
    name="sequence-ratio-token-loss",
    summary="importance_sampling_level=sequence with a loss that sums over tokens",
    severity=Severity.WARNING,
    frameworks={"trl": ">=0.20"},
    when={"trl:importance_sampling_level": "sequence"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_trainer.py",
            "Warns that these losses weight each sequence by its length and names loss_type grpo for GSPO; the warning came in 1.7.0, the loss is the same in 0.20.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    loss = run.text("trl:loss_type")
    if run.text("trl:importance_sampling_level") != "sequence" or loss not in _SUMMED:
        return
    yield run.finding(
        f"importance_sampling_level=sequence with loss_type {loss}, which sums over tokens: "
        "each sequence weighs as much as it is long",
        ("trl:importance_sampling_level", "one ratio for a sequence"),
        ("trl:loss_type", "summed over tokens"),
        changes=(SetOption("trl", "loss_type", "grpo"),),
    )
