"""Two replacements of one loss.

## What it checks
More than one of cut_cross_entropy, chunked_cross_entropy, liger_cross_entropy and liger_fused_linear_cross_entropy.

## Why it matters
Each replaces the same function; the configuration is refused.

## Example
    cut_cross_entropy: true
    liger_fused_linear_cross_entropy: true

## Instead
    cut_cross_entropy: true

## Fix safety
None is offered: which of them is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="AX009",
    name="cross-entropy-twice",
    summary="several replacements of the cross entropy in axolotl",
    severity=Severity.ERROR,
    frameworks={"axolotl": ">=0.13"},
    when={
        "axolotl:cut_cross_entropy|axolotl:chunked_cross_entropy|axolotl:liger_cross_entropy|axolotl:liger_fused_linear_cross_entropy": SET
    },
    evidence=(
        Evidence(
            "axolotl 0.19.0: axolotl/utils/schemas/validation.py",
            "https://github.com/axolotl-ai-cloud/axolotl/blob/v0.19.0/src/axolotl/utils/schemas/validation.py",
            "check_cross_entropy_conflicts raises ValueError where more than one of the four is on.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    names = ("cut_cross_entropy", "chunked_cross_entropy", "liger_cross_entropy", "liger_fused_linear_cross_entropy")
    on = [name for name in names if run.is_set(f"axolotl:{name}") and run.flag(f"axolotl:{name}") is True]
    if len(on) > 1:
        places = tuple(f"axolotl:{name}" for name in on)
        yield run.finding(f"{' and '.join(on)} replace the same loss: one is taken", *places, help="keep one of them")
