"""Sizes that FSDP does not have.

## What it checks
An FSDP trainer with pipeline or expert parallelism in its allocation.

## Why it matters
AReaL stops: its FSDP engine has data, tensor and context parallelism only.

## Example
    actor:
      backend: fsdp:d2p2

## Instead
    actor:
      backend: megatron:d2p2

## Fix safety
None is offered: another backend and other sizes are both possible.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.frameworks.areal.allocation import Malformed, parse
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="AR002",
    name="fsdp-with-pipeline-or-experts",
    summary="pipeline or expert parallelism with the FSDP backend",
    severity=Severity.ERROR,
    frameworks={"areal": ">=0.4.1"},
    evidence=(
        Evidence(
            "areal 1.0.4: areal/api/alloc_mode.py",
            "https://github.com/inclusionAI/AReaL/blob/v1.0.4/areal/api/alloc_mode.py",
            "ModelAllocation raises AllocationValidationError for such sizes of fsdp.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each such engine."""
    for key in ("actor.backend", "critic.backend", "ref.backend", "allocation_mode"):
        ref = f"areal:{key}"
        text = run.text(ref) if run.is_set(ref) else None
        try:
            found = parse(text) if text else []
        except Malformed:
            continue
        for each in found:
            if each.backend == "fsdp" and (each.p > 1 or each.e > 1):
                size = f"pipeline size {each.p}" if each.p > 1 else f"expert size {each.e}"
                yield run.finding(
                    f"fsdp has no {size.rsplit(' ', 1)[0]}, and {key} asks for {size.rsplit(' ', 1)[1]}",
                    (ref, "refused"),
                    help="take megatron or archon, or leave the size out",
                )
