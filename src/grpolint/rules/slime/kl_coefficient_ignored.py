"""A KL coefficient that nothing reads.

## What it checks
`--kl-loss-coef` above zero without `--use-kl-loss`.

## Why it matters
The loss has no KL term, no reference is loaded, and nothing says so.

## Example
    python3 train.py --kl-loss-coef 0.001

## Instead
    python3 train.py --use-kl-loss --kl-loss-coef 0.001

## Fix safety
Unsafe: the loss gets a further term.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="SL013",
    name="kl-coefficient-ignored",
    summary="kl-loss-coef without use-kl-loss",
    severity=Severity.WARNING,
    frameworks={"slime": ">=0.2"},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/backends/megatron_utils/loss.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/backends/megatron_utils/loss.py",
            "The KL term is computed and added only where use_kl_loss is set.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the coefficient has no effect."""
    weight = run.number("slime:kl_loss_coef")
    if not weight or run.flag("slime:use_kl_loss") is not False:
        return
    yield run.finding(
        f"kl-loss-coef {weight} has no effect without use-kl-loss: the loss has no KL term",
        ("slime:kl_loss_coef", "read by nothing"),
        changes=(SetOption("slime", "use_kl_loss", True),),
    )
