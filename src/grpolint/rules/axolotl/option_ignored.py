"""An option that is spelled almost like one of axolotl, and has no effect.

## What it checks
Keys at the top of a configuration that no option of the release has and that look like a slip of the pen.
Configurations with plugins from elsewhere are left alone.

## Why it matters
axolotl drops unknown keys without a word: the run goes on with the default.

## Example
    gradient_checkpoinitng: true

## Instead
    gradient_checkpointing: true

## Fix safety
Unsafe: the option takes effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RenameOption
from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="AX001",
    name="axolotl-option-ignored",
    summary="a misspelled option that axolotl ignores",
    severity=Severity.WARNING,
    frameworks={"axolotl": ""},
    when={"complaint:unknown-key": SET},
    evidence=(
        Evidence(
            "axolotl 0.19.0: axolotl/utils/schemas/config.py",
            "https://github.com/axolotl-ai-cloud/axolotl/blob/v0.19.0/src/axolotl/utils/schemas/config.py",
            "The configuration is a pydantic model that drops what it does not declare.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    for each in run.run.complaints:
        if each.framework != "axolotl" or each.kind != "unknown-key" or each.suggestion is None:
            continue
        label = (Label(each.span, f"did you mean {each.suggestion}?"),) if each.span is not None else ()
        change = RenameOption("axolotl", each.key, each.suggestion, safe=False)
        yield run.finding(each.detail, *label, changes=(change,))
