"""Checkpoints without optimizer states that the sharding does not allow.

## What it checks
`save_only_model` with FSDP and SHARDED_STATE_DICT, or with `load_best_model_at_end` under FSDP or DeepSpeed.

## Why it matters
The Trainer refuses both after the model has been loaded.

## Example
    save_only_model: true      with fsdp_state_dict_type: SHARDED_STATE_DICT

## Instead
    save_only_model: true      with fsdp_state_dict_type: FULL_STATE_DICT

## Fix safety
None is offered: what a checkpoint is to hold is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_ONLY = "transformers:save_only_model"
_TYPES = ("accelerate:fsdp_state_dict_type", "transformers:fsdp_config.state_dict_type")


@rule(
    id="FS067",
    name="weights-only-refused",
    summary="save_only_model with sharded checkpoints or with the best model",
    severity=Severity.ERROR,
    frameworks={"transformers": ">=4.46"},
    when={"transformers:save_only_model": True},
    evidence=(
        Evidence(
            "transformers 5.24.0: transformers/trainer.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/trainer.py",
            "Raises ValueError for both; 4.51 does the same.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each reason."""
    if run.flag(_ONLY) is not True:
        return
    engine = run.text("fact:engine")
    if engine in ("fsdp", "fsdp2", "deepspeed") and run.flag("transformers:load_best_model_at_end") is True:
        yield run.finding(
            f"save_only_model with load_best_model_at_end under {engine}: the Trainer refuses it",
            (_ONLY, "no optimizer states"),
            ("transformers:load_best_model_at_end", "to be loaded again"),
            help="leave one of the two off",
        )
    place = next((ref for ref in _TYPES if run.is_set(ref)), None)
    if engine in ("fsdp", "fsdp2") and place is not None and "SHARDED" in (run.text(place) or "").upper():
        yield run.finding(
            "save_only_model with SHARDED_STATE_DICT: the Trainer refuses it",
            (_ONLY, "weights alone"),
            (place, "sharded checkpoints"),
            help="use FULL_STATE_DICT, or save whole checkpoints",
        )
