"""A mask by entropy in a loss that computes none.

## What it checks
`top_entropy_quantile` below 1 with `use_liger_kernel` (`use_liger_loss` before 0.28), under TRL 0.20 to 1.13.

## Why it matters
The fused loss has no entropies, and GRPOTrainer refuses the pair.

## Example
    GRPOConfig(use_liger_kernel=True, top_entropy_quantile=0.2)

## Instead
    GRPOConfig(top_entropy_quantile=0.2)

## Fix safety
Unsafe: the loss then needs more memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, below, rule, show
from grpolint.versions import satisfies


@rule(
    id="TR044",
    name="entropy-mask-with-liger",
    summary="top_entropy_quantile below 1 with the Liger loss",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.20,<1.14"},
    when={"trl:top_entropy_quantile": below(1)},
    evidence=(
        Evidence(
            "trl 1.9.2: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.9.2/trl/trainer/grpo_trainer.py",
            "GRPOTrainer raises NotImplementedError; so does every release from 0.20.0 to 1.13.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    quantile = run.number("trl:top_entropy_quantile")
    if quantile is None or quantile >= 1:
        return
    for key in ("trl:use_liger_loss", "transformers:use_liger_kernel"):
        if key == "transformers:use_liger_kernel" and satisfies(run.run.settings["trl"].version.text, "<0.28"):
            continue
        if run.flag(key) is True:
            yield run.finding(
                f"top_entropy_quantile {show(quantile)} masks by entropy, which the Liger loss does not have: TRL refuses it",
                ("trl:top_entropy_quantile", "a mask by entropy"),
                (key, "the fused loss"),
                help="leave one of the two off",
            )
