"""A sharding strategy in `fsdp` that only FSDP1 has.

## What it checks
The argument `fsdp` names a strategy other than full_shard and shard_grad_op (hybrid_shard, no_shard) while
`fsdp_config.version` is 2, the default since Transformers 5.10.

## Why it matters
TrainingArguments refuses it.

## Example
    SFTConfig(fsdp="hybrid_shard auto_wrap")      with Transformers 5.10

## Instead
    SFTConfig(fsdp="full_shard auto_wrap")      with Transformers 5.10

## Fix safety
None is offered: how to shard is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_OLD = ("hybrid_shard", "hybrid_shard_zero2", "no_shard")


@rule(
    id="FS068",
    name="strategy-of-fsdp1",
    summary="a strategy of FSDP1 in the argument fsdp of Transformers 5.10 or later",
    severity=Severity.ERROR,
    frameworks={"transformers": ">=5.10"},
    when={"transformers:fsdp": SET},
    evidence=(
        Evidence(
            "transformers 5.24.0: transformers/training_args.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/training_args.py",
            "_apply_legacy_fsdp_to_config raises ValueError for other strategies with version 2; first released in 5.10.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the strategy."""
    given = run.known("transformers:fsdp")
    words = given if isinstance(given, list) else str(given or "").split()
    old = [str(word) for word in words if str(word).lower() in _OLD]
    if old and run.integer("fact:fsdp_version") == 2:
        yield run.finding(
            f"fsdp={old[0]} is only in FSDP1, and version 2 runs: TrainingArguments refuses it",
            ("transformers:fsdp", "of FSDP1"),
            ("fact:fsdp_version", "FSDP2"),
            help="use full_shard, or set version 1 in fsdp_config",
        )
