"""Activations recomputed by two mechanisms.

## What it checks
FSDP's own `activation_checkpointing` (in accelerate's `fsdp_config` or the Trainer's) and `gradient_checkpointing` of
the arguments are both on. TRL's configs switch the latter on by default since 0.22.

## Why it matters
The Trainer refuses the pair after the model has been loaded.

## Example
    fsdp_config: {fsdp_activation_checkpointing: true}      and GRPOConfig() of TRL 0.22 or later

## Instead
    fsdp_config: {fsdp_activation_checkpointing: true}      and GRPOConfig(gradient_checkpointing=False)

## Fix safety
Safe: activations are recomputed as before, by FSDP.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_SHARDED = ("accelerate:fsdp_activation_checkpointing", "transformers:fsdp_config.activation_checkpointing")


@rule(
    id="FS060",
    name="checkpointing-twice",
    summary="FSDP's activation checkpointing together with the Trainer's",
    severity=Severity.ERROR,
    frameworks={"transformers": ">=4.46"},
    when={
        "accelerate:fsdp_activation_checkpointing|transformers:fsdp_config.activation_checkpointing": True,
        "fact:engine": ("fsdp", "fsdp2"),
    },
    evidence=(
        Evidence(
            "transformers 5.24.0: transformers/trainer.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/trainer.py",
            "Raises ValueError after the accelerator has been made; 4.51 has the same check.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the places of both."""
    place = next((ref for ref in _SHARDED if run.is_set(ref)), None)
    if place is None or run.flag(place) is not True or run.text("fact:engine") not in ("fsdp", "fsdp2"):
        return
    newer = run.is_set("transformers:activation_checkpointing")
    key = "activation_checkpointing" if newer else "gradient_checkpointing"
    if run.flag(f"transformers:{key}") is True:
        yield run.finding(
            f"FSDP checkpoints activations and {key} does so too: the Trainer refuses the pair",
            (place, "by FSDP"),
            (f"transformers:{key}", "by the Trainer"),
            changes=(SetOption("transformers", key, value=False, safe=True),),
        )
