"""Activation checkpointing of FSDP2 with nothing to wrap.

## What it checks
`fsdp_activation_checkpointing: true` with FSDP2 while no policy chooses modules: `fsdp_auto_wrap_policy` is `NO_WRAP` (the
default), or `SIZE_BASED_WRAP` with `fsdp_min_num_params` 0.

## Why it matters
accelerate asks the policy which modules to checkpoint. There is none, and calling it raises TypeError when the model is
prepared.

## Example
    fsdp_version: 2
    fsdp_auto_wrap_policy: NO_WRAP
    fsdp_activation_checkpointing: true

## Instead
    fsdp_version: 2
    fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
    fsdp_activation_checkpointing: true

## Fix safety
Safe: without it the run stops.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_CHECKPOINTING = "accelerate:fsdp_activation_checkpointing"
_POLICY = "accelerate:fsdp_auto_wrap_policy"
_LEAST = "accelerate:fsdp_min_num_params"


@rule(
    id="FS150",
    name="checkpointing-without-wrapping",
    summary="activation checkpointing of FSDP2 without a policy that wraps",
    severity=Severity.ERROR,
    frameworks={"accelerate": ">=1.6,<1.16"},
    when={_CHECKPOINTING: True, "fact:engine": "fsdp2"},
    evidence=(
        Evidence(
            "accelerate 1.15.0: accelerate/utils/fsdp_utils.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/utils/fsdp_utils.py",
            "fsdp2_apply_ac calls the prepared policy, which is None for NO_WRAP and for a least size of 0.",
        ),
        Evidence(
            "huggingface/accelerate#3822",
            "https://github.com/huggingface/accelerate/issues/3822",
            "Checkpointing with NO_WRAP fails later with a TypeError that names neither option.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with both places."""
    if not run.is_set(_CHECKPOINTING) or not run.is_set(_POLICY) or run.flag(_CHECKPOINTING) is not True:
        return
    if run.text("fact:engine") != "fsdp2":
        return
    policy = str(run.text(_POLICY)).upper()
    if policy == "SIZE_BASED_WRAP":
        if run.is_set(_LEAST) and run.integer(_LEAST) != 0:
            return
        policy += " of modules from 0 parameters"
    elif policy != "NO_WRAP":
        return
    yield run.finding(
        f"FSDP2 asks the policy which modules to checkpoint, and {policy} chooses none: accelerate raises TypeError",
        (_POLICY, "no policy"),
        (_CHECKPOINTING, "asks it"),
        changes=(SetOption("accelerate", "fsdp_auto_wrap_policy", "TRANSFORMER_BASED_WRAP", safe=True),),
    )
