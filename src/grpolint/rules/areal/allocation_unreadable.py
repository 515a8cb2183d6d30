"""An allocation of devices that AReaL cannot read.

## What it checks
`actor.backend`, `rollout.backend` and their like, and the common `allocation_mode` of older files: a backend, a
colon, and letters with numbers (`fsdp:d4t2`), generating engines with data, tensor and pipeline sizes only. Since
1.0.3 each engine has a text of its own, in which the backend has to be named, and the common one allocates nothing.

## Why it matters
The program stops while it parses the text, before anything is started.

## Example
    actor:
      backend: fsdp.d4

## Instead
    actor:
      backend: fsdp:d4

## Fix safety
None is offered: what was meant is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.frameworks.areal.allocation import Malformed, parse
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.versions import satisfies

_OWN = ("actor.backend", "rollout.backend", "critic.backend", "ref.backend")


@rule(
    id="AR001",
    name="allocation-unreadable",
    summary="an allocation of devices that AReaL's grammar refuses",
    severity=Severity.ERROR,
    frameworks={"areal": ">=0.4.1"},
    evidence=(
        Evidence(
            "areal 1.0.4: areal/api/alloc_mode.py",
            "https://github.com/inclusionAI/AReaL/blob/v1.0.4/areal/api/alloc_mode.py",
            "The grammar takes backend, colon and sizes; sizes without a backend raise AllocationValidationError.",
        ),
        Evidence(
            "areal 1.0.4: areal/api/cli_args.py",
            "https://github.com/inclusionAI/AReaL/blob/v1.0.4/areal/api/cli_args.py",
            "The backends of actor and rollout are mandatory, and allocation_mode is for older launchers only.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each text that cannot be read."""
    own = [f"areal:{key}" for key in _OWN if run.is_set(f"areal:{key}")]
    common = "areal:allocation_mode"
    if not own and run.is_set(common) and satisfies(run.release("areal") or "0", ">=1.0.3"):
        yield run.finding(
            f"AReaL {run.release('areal')} needs a backend for each engine: allocation_mode allocates nothing any more",
            (common, "read by nothing"),
            help="write actor.backend and rollout.backend",
        )
        return
    for ref in own or [common]:
        text = run.text(ref) if run.is_set(ref) else None
        if not text:
            continue
        try:
            wrong = _wrong(text, ref)
        except Malformed as error:
            wrong = str(error)
        if wrong:
            yield run.finding(f"AReaL cannot read {ref.partition(':')[2]} {text!r}: {wrong}", (ref, "no allocation"))


def _wrong(text: str, ref: str) -> str:
    """What is wrong with a text that can be parsed; empty if nothing is. Raises Malformed where it cannot."""
    found = parse(text)
    if ref == "areal:allocation_mode":
        return ""
    if any(not each.backend for each in found):
        return "a backend has to be named, such as fsdp:d4"
    if len(found) > 1:
        return "it is for one engine, and the others have a backend of their own"
    generates = ref == "areal:rollout.backend"
    if found[0].backend and found[0].generates != generates:
        kind = "generates" if found[0].generates else "trains"
        return f"{found[0].backend} {kind}, and this engine {'generates' if generates else 'trains'}"
    return ""
