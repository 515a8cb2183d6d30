"""Padding-free training with a length that nobody enforces.

## What it checks
SFT with `padding_free` and without `packing`, while `max_length` is not null (1024 by default).

## Why it matters
The length is not enforced in this mode, and SFTTrainer refuses it since 1.0.

## Example
    SFTConfig(padding_free=True)

## Instead
    SFTConfig(padding_free=True, packing=True)

## Fix safety
None is offered: whether to pack or to drop the limit is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="TR040",
    name="padding-free-unbounded",
    summary="padding_free without packing while max_length is set",
    severity=Severity.ERROR,
    frameworks={"trl": ">=1.0"},
    when={"trl:padding_free": True},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/sft_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/sft_trainer.py",
            "SFTTrainer raises ValueError for text data; first released in 1.0.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the length."""
    if (
        "unsloth" in run.run.settings
        or run.flag("trl:padding_free") is not True
        or run.flag("trl:packing") is not False
    ):
        return
    length = run.integer("trl:max_length")
    if run.text("fact:trainer_kind") == "sft" and length is not None:
        yield run.finding(
            f"padding_free without packing does not enforce max_length {length}: TRL refuses the pair",
            ("trl:padding_free", "no padding"),
            ("trl:max_length", "not enforced"),
            "trl:packing",
            help="set packing on, or max_length to null",
        )
