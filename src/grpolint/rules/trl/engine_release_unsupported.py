"""A vLLM that this TRL was not made for.

## What it checks
With `use_vllm`, the release of vLLM against the range that the release of TRL names, where both are known.

## Why it matters
Each release of TRL names the releases of vLLM that it was tested with and warns of others. It reaches into the engine
to load weights, and most mismatches end in an ImportError, a TypeError or a missing attribute.

## Example
    trl==0.29.1 with vllm==0.17.0

## Instead
    trl==1.0.0 with vllm==0.17.0

## Fix safety
None is offered: which of the two to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.versions import satisfies

_RANGES = (
    (">=1.16", "0.22.0", "0.31.0"),
    (">=1.15", "0.21.0", "0.31.0"),
    (">=1.14", "0.20.0", "0.30.0"),
    (">=1.13", "0.19.1", "0.28.0"),
    (">=1.11", "0.19.0", "0.27.1"),
    (">=1.10", "0.17.0", "0.26.0"),
    (">=1.9", "0.17.0", "0.25.1"),
    (">=1.8", "0.16.0", "0.23.0"),
    (">=1.7", "0.14.0", "0.23.0"),
    (">=1.6", "0.12.0", "0.19.0"),
    (">=1.3", "0.12.0", "0.18.0"),
    (">=1.2", "0.11.0", "0.18.0"),
    (">=1.1", "0.11.0", "0.17.1"),
    (">=1.0", "0.10.2", "0.17.1"),
    (">=0.27", "0.10.2", "0.12.0"),
    (">=0.26", "0.10.2", "0.11.2"),
    (">=0.24", "0.10.2", "0.10.2"),
)
"""The oldest and newest release of vLLM that each release of TRL names, newest first."""


@rule(
    id="TR043",
    name="engine-release-unsupported",
    summary="a release of vLLM outside those that TRL supports",
    severity=Severity.WARNING,
    frameworks={"trl": ">=0.24,<1.17"},
    when={"trl:use_vllm": True},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/import_utils.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/import_utils.py",
            "is_vllm_available warns of a vLLM outside 0.22.0 to 0.31.0; every release since 0.24.0 has a range of its own.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with both releases."""
    if run.run.program.startswith("trl vllm-serve"):
        raise NotApplicable
    if "unsloth" in run.run.settings or run.flag("trl:use_vllm") is not True:
        return
    trl, vllm = run.run.settings["trl"].version, run.release("vllm")
    if vllm is None or trl.assumed:
        return
    found = next(((low, high) for since, low, high in _RANGES if satisfies(trl.text, since)), None)
    if found is not None and not satisfies(vllm, f">={found[0]},<={found[1]}"):
        named = found[0] if found[0] == found[1] else f"{found[0]} to {found[1]}"
        yield run.finding(
            f"TRL {trl.text} supports vLLM {named}, and vLLM is {vllm}",
            ("trl:use_vllm", f"vLLM {vllm}"),
            help=f"install vllm {found[1]}, or another release of TRL",
        )
