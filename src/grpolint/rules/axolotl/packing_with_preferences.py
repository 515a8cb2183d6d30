"""Packed samples where preferences or groups are compared.

## What it checks
sample_packing together with any rl.

## Why it matters
Pairs and groups cannot be packed into one sequence; the configuration is refused.

## Example
    rl: dpo
    sample_packing: true

## Instead
    rl: dpo
    sample_packing: false

## Fix safety
Safe: it prevents the refusal.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="AX003",
    name="packing-with-preferences",
    summary="sample_packing with rl in axolotl",
    severity=Severity.ERROR,
    frameworks={"axolotl": ""},
    when={"axolotl:sample_packing": True, "axolotl:rl": SET},
    evidence=(
        Evidence(
            "axolotl 0.19.0: axolotl/utils/schemas/validation.py",
            "https://github.com/axolotl-ai-cloud/axolotl/blob/v0.19.0/src/axolotl/utils/schemas/validation.py",
            "check_sample_packing_w_rl raises ValueError for the two together.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    kind = run.text("axolotl:rl")
    if kind is not None and run.flag("axolotl:sample_packing") is True:
        yield run.finding(
            f"sample_packing is refused with rl {kind}",
            "axolotl:sample_packing",
            ("axolotl:rl", "compares samples"),
            changes=(SetOption("axolotl", "sample_packing", value=False, safe=True),),
        )
