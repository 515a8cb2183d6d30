"""A sharding strategy of FSDP1 where FSDP2 wants yes or no.

## What it checks
`fsdp_reshard_after_forward` with FSDP2 is neither true nor false.

## Why it matters
FSDP2 knows no strategies: accelerate cannot read `FULL_SHARD` as a truth value and stops.

## Example
    fsdp_config: {fsdp_version: 2, fsdp_reshard_after_forward: FULL_SHARD}

## Instead
    fsdp_config: {fsdp_version: 2, fsdp_reshard_after_forward: true}

## Fix safety
Safe for FULL_SHARD, whose counterpart is true.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_KEY = "accelerate:fsdp_reshard_after_forward"
_TRUTH = ("true", "false", "1", "0", "yes", "no", "y", "n", "t", "f", "on", "off")


@rule(
    id="FS062",
    name="resharding-not-boolean",
    summary="fsdp_reshard_after_forward of FSDP2 with the name of a strategy",
    severity=Severity.ERROR,
    frameworks={"accelerate": ">=1.6"},
    when={"accelerate:fsdp_reshard_after_forward": SET, "fact:engine": "fsdp2"},
    evidence=(
        Evidence(
            "accelerate 1.15.0: accelerate/utils/dataclasses.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/utils/dataclasses.py",
            "With version 2 the value goes through str_to_bool, which raises ValueError; the same since 1.6.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the value."""
    if not run.is_set(_KEY) or run.text("fact:engine") != "fsdp2":
        return
    value = run.text(_KEY)
    if value is not None and value.lower() not in _TRUTH:
        full = value.upper() in ("FULL_SHARD", "SHARD_GRAD_OP")
        yield run.finding(
            f"fsdp_reshard_after_forward is {value}, where FSDP2 wants true or false",
            (_KEY, "a strategy of FSDP1"),
            ("fact:engine", "FSDP2"),
            help="" if full else "set it to true or false",
            changes=(SetOption("accelerate", "fsdp_reshard_after_forward", value.upper() == "FULL_SHARD", safe=True),)
            if full
            else (),
        )
