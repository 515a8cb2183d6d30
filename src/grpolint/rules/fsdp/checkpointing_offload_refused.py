"""Activations sent to the host that are not checkpointed.

## What it checks
`fsdp_activation_checkpointing_offload` needs `fsdp_activation_checkpointing` and FSDP2.

## Why it matters
accelerate refuses it otherwise.

## Example
    fsdp_config: {fsdp_version: 1, fsdp_activation_checkpointing: true, fsdp_activation_checkpointing_offload: true}

## Instead
    fsdp_config: {fsdp_version: 2, fsdp_activation_checkpointing: true, fsdp_activation_checkpointing_offload: true}

## Fix safety
None is offered: which of the options is meant is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_KEY = "accelerate:fsdp_activation_checkpointing_offload"
_ON = "accelerate:fsdp_activation_checkpointing"


@rule(
    id="FS064",
    name="checkpointing-offload-refused",
    summary="fsdp_activation_checkpointing_offload without checkpointing or without FSDP2",
    severity=Severity.ERROR,
    frameworks={"accelerate": ">=1.15"},
    when={"accelerate:fsdp_activation_checkpointing_offload": True},
    evidence=(
        Evidence(
            "accelerate 1.15.0: accelerate/utils/dataclasses.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/utils/dataclasses.py",
            "FullyShardedDataParallelPlugin raises ValueError for both; the option exists since this release.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the one that is missing."""
    if not run.is_set(_KEY) or run.flag(_KEY) is not True:
        return
    engine = run.text("fact:engine")
    if engine == "fsdp":
        yield run.finding(
            "fsdp_activation_checkpointing_offload needs FSDP2, and FSDP1 runs",
            (_KEY, "for FSDP2"),
            ("fact:engine", "FSDP1"),
            help="set fsdp_version to 2, or leave the offload off",
        )
    elif engine == "fsdp2" and not (run.is_set(_ON) and run.flag(_ON) is True):
        yield run.finding(
            "fsdp_activation_checkpointing_offload needs fsdp_activation_checkpointing, which is off",
            (_KEY, "nothing to offload"),
            *((_ON,) if run.is_set(_ON) else ()),
            help="switch fsdp_activation_checkpointing on, or leave the offload off",
        )
