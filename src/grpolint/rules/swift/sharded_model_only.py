"""Weights alone are to be saved, and FSDP2 saves shards.

## What it checks
save_only_model with --fsdp fsdp2, whose preset saves a sharded state dict.

## Why it matters
The run ends with a ValueError before training.

## Example
    swift sft --fsdp fsdp2 --save_only_model true

## Instead
    swift sft --fsdp fsdp2

## Fix safety
None is offered: a file of its own for FSDP can save whole models instead.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="SW013",
    name="sharded-model-only",
    summary="save_only_model with the FSDP2 preset of ms-swift",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=3.12"},
    when={"transformers:save_only_model": True, "transformers:fsdp": "fsdp2"},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/arguments/sft_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/arguments/sft_args.py",
            "_check_fsdp2_compatibility raises ValueError for save_only_model with a sharded state dict.",
        ),
        Evidence(
            "ms-swift 4.6.0: swift/config/fsdp2.json",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/config/fsdp2.json",
            "The preset saves a SHARDED_STATE_DICT.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("transformers:save_only_model") is not True or run.known("transformers:fsdp") != "fsdp2":
        return
    yield run.finding(
        "save_only_model with --fsdp fsdp2 is refused: the preset saves shards, which are no model of their own",
        "transformers:save_only_model",
        ("transformers:fsdp", "saves a SHARDED_STATE_DICT"),
        help="take save_only_model out; checkpoints then hold the optimizer too",
    )
