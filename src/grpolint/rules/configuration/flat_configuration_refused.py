"""A key that the flat configuration does not have, or a value that it does not take.

## What it checks
Keys and values of the handbook's flat configuration (`--config '{"zero_stage": 2, ...}'`, or a file of such keys).

## Why it matters
No program reads this form, so that nothing else stops at a slip of the pen; but the rules that ask for the key that was meant
stay undecided.

## Example
    {"zero_stage": 7, "lora_rnak": 32}

## Instead
    {"zero_stage": 2, "lora_rank": 32}

## Fix safety
Renaming to the key that was meant is unsafe: the value counts from then on.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RenameOption
from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="CF031",
    name="flat-configuration-refused",
    summary="a key that the flat configuration does not have, or a value that it does not take",
    severity=Severity.ERROR,
    frameworks={"handbook": ""},
    evidence=(
        Evidence(
            "rollout-infra: the handbook's matrix script",
            "https://github.com/Jackie2049/rollout-infra/blob/main/tools/cross_framework_grpo_bug_avoidance_matrix.py",
            "The script that the handbook names reads such a mapping; its keys are the fields of one class.",
        ),
    ),
    policy="any",
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each such key and value."""
    for each in run.run.complaints:
        if each.kind not in ("flat-key", "flat-value"):
            continue
        meant = each.suggestion
        told = "not taken" if each.kind == "flat-value" else f"did you mean {meant}?" if meant else "no such key"
        yield run.finding(
            each.detail,
            *((Label(each.span, told),) if each.span is not None else ()),
            changes=(RenameOption("handbook", each.key, meant, safe=False),) if meant else (),
            help="" if meant else "write a value that it takes" if each.kind == "flat-value" else "remove it",
        )
