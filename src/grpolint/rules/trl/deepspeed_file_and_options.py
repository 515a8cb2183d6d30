"""A DeepSpeed file, and its options in accelerate's file as well.

## What it checks
accelerate's file names a `deepspeed_config_file` and sets `gradient_accumulation_steps`, `zero_stage`, offloading,
`mixed_precision` or the like itself.

## Why it matters
accelerate refuses the file: what DeepSpeed does is to be said in one place.

## Example
    mixed_precision: bf16
    deepspeed_config: {deepspeed_config_file: zero3.json}

## Instead
    deepspeed_config: {deepspeed_config_file: zero3.json}

## Fix safety
Unsafe: the DeepSpeed file decides then.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_INSIDE = (
    "gradient_accumulation_steps",
    "gradient_clipping",
    "zero_stage",
    "offload_optimizer_device",
    "offload_param_device",
    "offload_param_nvme_path",
    "offload_optimizer_nvme_path",
    "zero3_save_16bit_model",
    "mixed_precision",
)


@rule(
    id="TR071",
    name="deepspeed-file-and-options",
    summary="options beside deepspeed_config_file in accelerate's file",
    severity=Severity.ERROR,
    frameworks={"accelerate": ">=1.0"},
    when={"accelerate:deepspeed_config_file": SET},
    evidence=(
        Evidence(
            "accelerate 1.15.0: accelerate/utils/dataclasses.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/utils/dataclasses.py",
            "_deepspeed_config_checks raises ValueError for these names, which the launcher takes from the keys of the file; the same in 1.0.1.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding that names them."""
    settings = run.run.settings["accelerate"]
    file = settings.get("deepspeed_config_file")
    if file is None or file.form == "flag" or run.text("accelerate:deepspeed_config_file") in (None, "none"):
        return
    if run.text("fact:engine") != "deepspeed":
        return
    beside = [key for key in _INSIDE if (found := settings.get(key)) is not None and found.form != "flag"]
    beside = [key for key in beside if run.ask(f"accelerate:{key}") is not None and _given(run, key)]
    if beside:
        yield run.finding(
            f"{', '.join(beside)} beside deepspeed_config_file: accelerate refuses options that the file is to decide",
            *[(f"accelerate:{key}", "") for key in beside],
            ("accelerate:deepspeed_config_file", "decides"),
            changes=tuple(RemoveOption("accelerate", key) for key in beside),
        )


def _given(run: Inquiry, key: str) -> bool:
    """Whether the launcher counts it: mixed precision only where it is not null and no flag replaces it."""
    return key != "mixed_precision" or run.known("accelerate:mixed_precision") is not None
