"""A misspelled option that slime passes over.

## What it checks
Options that neither slime nor Megatron nor SGLang has and that are spelled almost like one that they have.

## Why it matters
Since 0.2.3 three parsers read the command line one after the other, and each passes over what it does not know. The
option has no effect and nothing says so.

## Example
    python3 train.py --n-sample-per-prompt 8

## Instead
    python3 train.py --n-samples-per-prompt 8

## Fix safety
Unsafe: the value takes effect from then on.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RenameOption
from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="SL014",
    name="option-passed-over",
    summary="a misspelled option that slime ignores",
    severity=Severity.WARNING,
    frameworks={"slime": ">=0.2.3"},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/backends/megatron_utils/arguments.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/backends/megatron_utils/arguments.py",
            "Megatron's parser is told to ignore unknown arguments, because those of SGLang are read elsewhere.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    for each in run.run.complaints:
        if each.framework != "slime" or each.kind != "unknown-key" or " ignores " not in each.detail:
            continue
        meant = each.suggestion
        yield run.finding(
            each.detail,
            *((Label(each.span, f"did you mean {meant}?" if meant else "read by nothing"),) if each.span else ()),
            changes=(RenameOption("slime", each.key, meant, safe=False),) if meant else (),
        )
