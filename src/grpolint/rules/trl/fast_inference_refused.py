"""Unsloth's engine with a model that it cannot serve.

## What it checks
`fast_inference=True` with `full_finetuning=True`, with `load_in_8bit=True`, or under FSDP2.

## Why it matters
Unsloth raises NotImplementedError when the model is loaded.

## Example
    FastLanguageModel.from_pretrained(name, full_finetuning=True, fast_inference=True)

## Instead
    FastLanguageModel.from_pretrained(name, full_finetuning=True, fast_inference=False)

## Fix safety
Unsafe: it changes what generates.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="TR080",
    name="fast-inference-refused",
    summary="fast_inference of Unsloth with full fine-tuning, 8 bits or FSDP2",
    severity=Severity.ERROR,
    frameworks={"unsloth": ""},
    when={"unsloth:fast_inference": True},
    evidence=(
        Evidence(
            "Unsloth: unsloth/models/vision.py, as released in 2026.10.9",
            "https://github.com/unslothai/unsloth/blob/main/unsloth/models/vision.py",
            "Raises NotImplementedError for full_finetuning, and for 8 bits.",
        ),
        Evidence(
            "Unsloth: unsloth/models/loader_utils.py, as released in 2026.10.9",
            "https://github.com/unslothai/unsloth/blob/main/unsloth/models/loader_utils.py",
            "raise_if_fast_inference_under_fsdp2 raises NotImplementedError.",
        ),
        Evidence(
            "unslothai/unsloth#2846",
            "https://github.com/unslothai/unsloth/issues/2846",
            "Full fine-tuning with GRPO and fast_inference is not supported.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each reason."""
    if run.flag("unsloth:fast_inference") is not True:
        return
    off = (SetOption("unsloth", "fast_inference", value=False),)
    for key, word in (("full_finetuning", "full fine-tuning"), ("load_in_8bit", "a base model in 8 bits")):
        if run.flag(f"unsloth:{key}") is True:
            yield run.finding(
                f"fast_inference does not work with {word}: Unsloth refuses it",
                ("unsloth:fast_inference", "vLLM generates"),
                (f"unsloth:{key}", word),
                changes=off,
            )
    if run.run.launch is not None and run.text("fact:engine") == "fsdp2":
        yield run.finding(
            "fast_inference does not work with FSDP2: Unsloth refuses it",
            ("unsloth:fast_inference", "vLLM generates"),
            ("fact:engine", "FSDP2"),
            changes=off,
        )
