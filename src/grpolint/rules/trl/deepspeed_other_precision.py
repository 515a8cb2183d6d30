"""A DeepSpeed file in the other half precision.

## What it checks
The DeepSpeed file that accelerate is given enables fp16 while bf16 is asked for, or the other way round: by the
Trainer's arguments, else by accelerate's `mixed_precision`.

## Why it matters
accelerate refuses to start.

## Example
    accelerate launch --mixed_precision bf16 --deepspeed_config_file ds.json      with "fp16": {"enabled": true} in ds.json

## Instead
    accelerate launch --mixed_precision bf16 --deepspeed_config_file ds.json      with "bf16": {"enabled": true} in ds.json

## Fix safety
None is offered: the precision is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, NotApplicable, rule


@rule(
    id="TR072",
    name="deepspeed-other-precision",
    summary="accelerate's mixed precision against that of its DeepSpeed file",
    severity=Severity.ERROR,
    frameworks={"accelerate": ">=1.0"},
    when={"accelerate:deepspeed_config_file": SET},
    evidence=(
        Evidence(
            "accelerate 1.15.0: accelerate/utils/dataclasses.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/utils/dataclasses.py",
            "set_mixed_precision raises ValueError if the file enables the other type; the same in 1.0.1.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with both."""
    if run.run.setting("transformers", "deepspeed") is not None:
        raise NotApplicable  # the Trainer compares the file with its arguments
    wanted = next(
        (each for each in ("fp16", "bf16") if run.run.settings.get("transformers") and run.flag(f"fact:{each}")), None
    )
    place = f"fact:{wanted}"
    if wanted is None:
        wanted, place = (run.text("accelerate:mixed_precision") or "no").lower(), "accelerate:mixed_precision"
    other = {"bf16": "fp16", "fp16": "bf16"}.get(wanted)
    if (
        other is not None
        and run.run.setting("deepspeed", f"{other}.enabled")
        and run.flag(f"deepspeed:{other}.enabled") is True
    ):
        yield run.finding(
            f"{wanted} is asked for and the DeepSpeed file enables {other}: accelerate refuses it",
            (f"deepspeed:{other}.enabled", "in the file"),
            (place, wanted),
            help=f"enable {wanted} in the file, or set it to auto",
        )
