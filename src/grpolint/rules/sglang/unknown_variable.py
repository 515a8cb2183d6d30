"""A misspelled variable of SGLang.

## What it checks
Exported variables that start with `SGLANG_` or `SGL_`, that no release of SGLang reads, that the script itself does not use, and
whose name is almost that of a real one.

## Why it matters
SGLang ignores it: what it was meant to change keeps its default.

## Example
    export SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LENGTH=1

## Instead
    export SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1

## Fix safety
None is offered: the name is a guess.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.variables import misspelled


@rule(
    id="SG034",
    name="unknown-sglang-variable",
    summary="an SGLANG_ variable that no release reads, spelled almost like a real one",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    evidence=(
        Evidence(
            "sglang 0.5.14: python/sglang/srt/environ.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.14/python/sglang/srt/environ.py",
            "The variables that are read; nothing looks at others.",
        ),
    ),
    when={"env:SGLANG_*|env:SGL_*": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each of them."""
    for name in run.run.env:
        meant = misspelled(run, "sglang", name) if name.startswith(("SGLANG_", "SGL_")) else None
        if meant is not None:
            yield run.finding(
                f"no release of SGLang reads {name}: it is ignored",
                (f"env:{name}", "read by nobody"),
                help=f"if {meant} is meant, write that",
            )
