"""Sequence-level ratios with a token-level loss.

## What it checks
`loss_fn.sequence_level_importance_ratios: true` (GSPO) with `loss_fn.token_level_loss: true`, which is the default of
the configurations that ship.

## Why it matters
NeMo-RL asserts that they exclude each other when it makes the loss.

## Example
    uv run examples/run_grpo.py loss_fn.sequence_level_importance_ratios=true

## Instead
    uv run examples/run_grpo.py loss_fn.sequence_level_importance_ratios=true loss_fn.token_level_loss=false

## Fix safety
Unsafe: the loss changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import on, together


@rule(
    id="NR018",
    name="sequence-ratios-with-token-loss",
    summary="sequence-level ratios with a token-level loss",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.4"},
    when={"nemo-rl:loss_fn.sequence_level_importance_ratios": True},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/algorithms/loss/loss_functions.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/algorithms/loss/loss_functions.py",
            "ClippedPGLossFn asserts a loss over sequences.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if both are on."""
    yield from together(
        run,
        "sequence_level_importance_ratios excludes token_level_loss: NeMo-RL refuses the loss",
        on("nemo-rl:loss_fn.sequence_level_importance_ratios", "one ratio for a sequence"),
        on("nemo-rl:loss_fn.token_level_loss", "mean over tokens"),
        changes=(SetOption("nemo-rl", "loss_fn.token_level_loss", False),),
    )
