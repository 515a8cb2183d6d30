"""CISPO with weights that never reach 1.

## What it checks
With `loss_type=cispo`, `epsilon_high` (or `epsilon`, 0.2, where it is not set) below 1.

## Why it matters
CISPO cuts the importance weight at `epsilon_high` itself, not at 1 + `epsilon_high`. With 0.2 the weight of every
token is 0.2 at most: the gradient shrinks to a fifth, and the ratio does nothing more.

## Example
    GRPOConfig(loss_type="cispo")

## Instead
    GRPOConfig(loss_type="cispo", epsilon_high=5.0)

## Fix safety
Unsafe: it changes the loss.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule, show


@rule(
    id="TR029",
    name="cispo-weights-below-one",
    summary="loss_type=cispo with epsilon_high below 1",
    severity=Severity.WARNING,
    frameworks={"trl": ">=0.26"},
    when={"trl:loss_type": "cispo"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_trainer.py",
            "_compute_loss clamps the ratio to at most epsilon_high, which falls back to epsilon; the same since 0.26.0.",
        ),
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "The help of epsilon_high recommends 5.0 for this loss.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the bound."""
    if "unsloth" in run.run.settings or run.text("trl:loss_type") != "cispo":
        return
    key = "epsilon_high" if run.number("trl:epsilon_high") is not None else "epsilon"
    bound = run.number(f"trl:{key}")
    if bound is not None and bound < 1:
        yield run.finding(
            f"loss_type=cispo cuts the weight of every token at {key} {show(bound)}, not at 1 + {show(bound)}",
            ("trl:loss_type", "CISPO"),
            (f"trl:{key}", "upper bound of the weights"),
            changes=(SetOption("trl", "epsilon_high", 5.0),),
        )
