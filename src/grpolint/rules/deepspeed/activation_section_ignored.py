"""Activation checkpointing that nobody does.

## What it checks
The section `activation_checkpointing` of a DeepSpeed file that a Trainer of Transformers or TRL uses, while its own
`gradient_checkpointing` is off.

## Why it matters
The section configures DeepSpeed's own functions, which models have to call. Those of Transformers do not: all
activations stay in memory.

## Example
    {"activation_checkpointing": {"partition_activations": true}, "zero_optimization": {"stage": 2}}

## Instead
    --gradient_checkpointing true

## Fix safety
None is offered: checkpointing costs a third of the speed.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_KEYS = (
    ".partition_activations",
    ".cpu_checkpointing",
    ".contiguous_memory_optimization",
    ".number_checkpoints",
    ".synchronize_checkpoint_boundary",
    ".profile",
)


@rule(
    id="DS044",
    name="activation-section-ignored",
    summary="the section activation_checkpointing has no effect under the Trainer",
    severity=Severity.WARNING,
    frameworks={"deepspeed": ""},
    when={
        "|".join(f"deepspeed:activation_checkpointing{key}" for key in ("", *_KEYS)): SET,
        "transformers:gradient_checkpointing": False,
    },
    evidence=(
        Evidence(
            "Transformers documentation: DeepSpeed",
            "https://huggingface.co/docs/transformers/deepspeed",
            "Models of Transformers do not call DeepSpeed's functions, so that the section has no effect.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    settings = run.run.settings["deepspeed"]
    found = settings.get("activation_checkpointing") or next(settings.under("activation_checkpointing"), None)
    if found is None or "transformers" not in run.run.settings:
        return
    if run.flag("transformers:gradient_checkpointing") is False:
        yield run.finding(
            "the section activation_checkpointing has no effect under the Trainer, and gradient_checkpointing is off",
            (f"deepspeed:{found.key}", "ignored"),
            ("transformers:gradient_checkpointing", "off"),
            help="turn on gradient_checkpointing in the arguments of the Trainer",
        )
