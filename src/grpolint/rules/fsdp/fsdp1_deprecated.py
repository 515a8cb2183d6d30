"""FSDP1 in the Trainer, which is on its way out.

## What it checks
The Trainer's own `fsdp` argument with `fsdp_config.version` 1 under Transformers 5.10 or later.

## Why it matters
Transformers deprecates FSDP1 and announces its removal; PyTorch advises FSDP2 as well. The default has been version 2 since
5.10.

## Example
    SFTConfig(fsdp="full_shard auto_wrap", fsdp_config={"version": 1})

## Instead
    SFTConfig(fsdp="full_shard auto_wrap", fsdp_config={"version": 2})

## Fix safety
Unsafe: sharded checkpoints of FSDP1 and FSDP2 differ.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="FS001",
    name="fsdp1-deprecated",
    summary="FSDP1 is deprecated in the Trainer",
    severity=Severity.INFO,
    frameworks={"transformers": ">=5.10"},
    when={"fact:fsdp_version": 1},
    evidence=(
        Evidence(
            "transformers 5.24.0: transformers/training_args.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/training_args.py",
            "Warns that version 1 is deprecated and will be removed; the default has been 2 since 5.10.0.",
        ),
        Evidence(
            "PyTorch documentation: fully_shard",
            "https://docs.pytorch.org/docs/stable/distributed.fsdp.fully_shard.html",
            "Users of FSDP1 are advised to move to FSDP2.",
        ),
    ),
    aliases=("D06", "N06"),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the Trainer itself is told to use FSDP1."""
    if run.run.setting("transformers", "fsdp") is None or run.integer("fact:fsdp_version") != 1:
        return
    yield run.finding(
        "FSDP1 is deprecated: Transformers announces its removal and PyTorch advises FSDP2",
        ("fact:fsdp_version", "FSDP1"),
        "transformers:fsdp",
        help="set version 2 in fsdp_config",
    )
