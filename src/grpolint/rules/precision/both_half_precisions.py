"""bf16 and fp16 at the same time.

## What it checks
Both 16-bit types are enabled, in a DeepSpeed configuration, in the Trainer's arguments or in Megatron's.

## Why it matters
The frameworks refuse it at the start: the loss scaling of fp16 and the unscaled bf16 cannot both hold.

## Example
    {"bf16": {"enabled": true}, "fp16": {"enabled": true}}

## Instead
    {"bf16": {"enabled": true}}

## Fix safety
Unsafe: the precision is part of the training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_PAIRS = (
    ("deepspeed", "bf16.enabled", "fp16.enabled"),
    ("transformers", "bf16", "fp16"),
    ("megatron", "bf16", "fp16"),
    ("handbook", "bf16", "fp16"),
)


@rule(
    id="PR001",
    name="both-half-precisions",
    summary="bf16 and fp16 are both enabled",
    severity=Severity.ERROR,
    frameworks={"deepspeed": "", "transformers": "", "megatron": "", "handbook": ""},
    evidence=(
        Evidence(
            "deepspeed 0.19.8: runtime/config.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/config.py",
            "Asserts that the bf16 and the fp16 mode are not enabled together.",
        ),
    ),
    aliases=("N17",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each framework that is told both."""
    for framework, brain, half in _PAIRS:
        if not any(run.is_set(f"{framework}:{name}") for name in (brain, half)):
            continue  # what nobody sets follows from the type of the checkpoint, which is one
        if run.flag(f"{framework}:{brain}") is True and run.flag(f"{framework}:{half}") is True:
            yield run.finding(
                "bf16 and fp16 are both enabled: one model cannot train in both",
                (f"{framework}:{half}", "fp16"),
                (f"{framework}:{brain}", "bf16"),
                changes=(SetOption(framework, half, value=False),),
            )
