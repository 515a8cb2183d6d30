"""An option that the framework accepts and ignores.

## What it checks
Keys at the top level of a DeepSpeed configuration that no part of DeepSpeed reads. Its sections refuse unknown keys, the top
level does not.

## Why it matters
The setting has no effect and nothing says so: `gradient_cliping` trains without clipping.

## Example
    {"gradient_cliping": 1.0, "zero_optimization": {"stage": 2}}

## Instead
    {"gradient_clipping": 1.0, "zero_optimization": {"stage": 2}}

## Fix safety
Unsafe: the value takes effect from then on.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RenameOption
from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="DS004",
    name="ignored-top-level-key",
    summary="a top-level key that DeepSpeed ignores",
    severity=Severity.WARNING,
    frameworks={"deepspeed": ""},
    evidence=(
        Evidence(
            "deepspeed 0.19.8: runtime/config.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/config.py",
            "Top-level options are fetched one by one from the dictionary; nothing looks at the keys that are left.",
        ),
    ),
    when={"complaint:unknown-key": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each ignored key."""
    for each in run.run.complaints:
        if each.framework != "deepspeed" or each.kind != "unknown-key" or " ignores " not in each.detail:
            continue
        if each.key.lower().lstrip("_/#$").startswith(("comment", "note")) or each.key[:1] in ("_", "/", "#", "$"):
            continue  # JSON has no comments: keys that nobody reads take their place
        meant = each.suggestion
        yield run.finding(
            each.detail,
            *((Label(each.span, f"did you mean {meant}?" if meant else "read by nothing"),) if each.span else ()),
            changes=(RenameOption("deepspeed", each.key, meant, safe=False),) if meant else (),
            help="" if meant else "remove it",
        )
