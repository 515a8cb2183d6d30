"""A value that NCCL does not know.

## What it checks
`NCCL_DEBUG`, `NCCL_P2P_LEVEL`, `NCCL_NET_GDR_LEVEL`, `NCCL_PROTO` and `NCCL_IB_TIMEOUT` against the values that NCCL takes.

## Why it matters
NCCL passes over a level that it does not know: no logs appear, or the transport stays as it was.

## Example
    export NCCL_DEBUG=DEBUG

## Instead
    export NCCL_DEBUG=INFO

## Fix safety
None is offered: which value is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_LEVELS = ("LOC", "NVL", "C2C", "NVB", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS")
_KNOWN = {
    "NCCL_DEBUG": ("VERSION", "WARN", "INFO", "ABORT", "TRACE"),
    "NCCL_P2P_LEVEL": _LEVELS,
    "NCCL_NET_GDR_LEVEL": _LEVELS,
    "NCCL_PROTO": ("LL", "LL128", "SIMPLE"),
}
_ANY_CASE = ("NCCL_DEBUG", "NCCL_PROTO")
_OFF = ("", "0", "NONE", "OFF", "FALSE")
"""How people say that NCCL shall print nothing, which an unknown level does."""


@rule(
    id="EN015",
    name="nccl-value-unknown",
    summary="a value that NCCL passes over",
    severity=Severity.WARNING,
    when={"fact:nccl_variables": above(0)},
    evidence=(
        Evidence(
            "NVIDIA/nccl: src/debug.cc and src/graph/paths.cc",
            "https://github.com/NVIDIA/nccl/blob/master/src/graph/paths.cc",
            "Levels are compared with the known names (those of paths in capitals only); others count as not set.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    for name, known in _KNOWN.items():
        word = run.run.env.get(name)
        text = word.text if word is not None else None
        if not text or (name == "NCCL_DEBUG" and text.upper() in _OFF):
            continue
        if name.endswith("_LEVEL") and text[:1].isdigit():
            continue
        pieces = text.lstrip("^").split(",") if name == "NCCL_PROTO" else [text]
        if any(":" in piece for piece in pieces):
            continue  # the newer form for each function
        unknown = [each for each in pieces if (each.upper() if name in _ANY_CASE else each) not in known]
        if unknown:
            yield run.finding(
                f"NCCL knows no {unknown[0]} for {name} and passes over it",
                (f"env:{name}", "unknown to NCCL"),
                help=f"use one of {', '.join(known)}",
            )
