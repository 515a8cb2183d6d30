"""A word where NCCL reads a number.

## What it checks
NCCL's switches set to a word: `NCCL_P2P_DISABLE=true`, `NCCL_IB_DISABLE=yes`.

## Why it matters
NCCL reads them with strtoll, which makes 0 of a word without complaint: `true` switches off what it is meant to switch on.

## Example
    export NCCL_P2P_DISABLE=true

## Instead
    export NCCL_P2P_DISABLE=1

## Fix safety
None is offered: the run would see a value that it did not see before.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_ENDINGS = ("_DISABLE", "_ENABLE")
_TRUE = {"true": "1", "yes": "1", "on": "1", "y": "1", "t": "1"}


@rule(
    id="EN013",
    name="nccl-word-for-number",
    summary="a word where NCCL reads a number, which makes it 0",
    severity=Severity.WARNING,
    when={"fact:nccl_variables": above(0)},
    evidence=(
        Evidence(
            "NVIDIA/nccl: src/misc/param.cc",
            "https://github.com/NVIDIA/nccl/blob/master/src/misc/param.cc",
            "Parameters are read with strtoll and only errno is looked at, so that text without digits is 0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each; a word that means no is 0 all the same."""
    for name in run.run.env:
        if not name.startswith("NCCL_") or not name.endswith(_ENDINGS):
            continue
        text = run.run.env[name].text
        number = _TRUE.get((text or "").strip().lower())
        if number is not None:
            yield run.finding(
                f"NCCL reads {name} as a number, and {text} as the number 0: it stays off",
                (f"env:{name}", "read as 0"),
                help=f"set {name}={number}",
            )
