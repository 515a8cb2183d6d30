"""Sequences without padding and no attention that can separate them.

## What it checks
padding_free or packing is on and attn_impl is not one of the flash implementations; where nobody says it, ms-swift
leaves the choice to the model, which is none of them.

## Why it matters
The run ends with a ValueError once the arguments are read. Megatron-SWIFT has attention of its own and is not
concerned.

## Example
    swift sft --packing true --attn_impl sdpa

## Instead
    swift sft --packing true --attn_impl flash_attn

## Fix safety
Safe: it prevents the refusal; flash-attn must be installed.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="SW010",
    name="packing-without-flash-attention",
    summary="padding_free or packing of ms-swift without flash attention",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=3.7"},
    when={"ms-swift:padding_free|ms-swift:packing": SET},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/arguments/sft_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/arguments/sft_args.py",
            "_check_padding_free raises ValueError unless attn_impl is one of the flash implementations.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    key = next((each for each in ("packing", "padding_free") if run.flag(f"ms-swift:{each}") is True), None)
    if key is None or "megatron" in run.run.settings or run.run.program == "swift rollout":
        return
    attention = run.text("ms-swift:attn_impl")
    if attention is not None and (attention == "flash_attn" or attention.startswith("flash_attention_")):
        return
    yield run.finding(
        f"{key} with attention {attention or 'left to the model'}: ms-swift wants a flash implementation",
        (f"ms-swift:{key}", "sequences without padding"),
        "ms-swift:attn_impl",
        changes=(SetOption("ms-swift", "attn_impl", "flash_attn", safe=True),),
    )
