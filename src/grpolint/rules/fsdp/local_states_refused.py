"""Checkpoints of each rank under FSDP2.

## What it checks
`fsdp_state_dict_type: LOCAL_STATE_DICT` with FSDP2.

## Why it matters
FSDP2 has no such checkpoints, and accelerate refuses it since 1.7.

## Example
    fsdp_config: {fsdp_version: 2, fsdp_state_dict_type: LOCAL_STATE_DICT}

## Instead
    fsdp_config: {fsdp_version: 2, fsdp_state_dict_type: SHARDED_STATE_DICT}

## Fix safety
Safe: it only lets the run get past the error.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_KEY = "accelerate:fsdp_state_dict_type"


@rule(
    id="FS063",
    name="local-states-refused",
    summary="LOCAL_STATE_DICT with FSDP2",
    severity=Severity.ERROR,
    frameworks={"accelerate": ">=1.7"},
    when={"accelerate:fsdp_state_dict_type": "LOCAL_STATE_DICT"},
    evidence=(
        Evidence(
            "accelerate 1.15.0: accelerate/utils/dataclasses.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/utils/dataclasses.py",
            "set_state_dict_type raises ValueError; first released in 1.7.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if not run.is_set(_KEY) or (run.text(_KEY) or "").upper() != "LOCAL_STATE_DICT":
        return
    if run.text("fact:engine") == "fsdp2":
        yield run.finding(
            "fsdp_state_dict_type LOCAL_STATE_DICT does not exist in FSDP2: accelerate refuses it",
            (_KEY, "of FSDP1"),
            ("fact:engine", "FSDP2"),
            changes=(SetOption("accelerate", "fsdp_state_dict_type", "SHARDED_STATE_DICT", safe=True),),
        )
