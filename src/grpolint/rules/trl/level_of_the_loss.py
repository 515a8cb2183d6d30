"""A loss with ratios of the other level.

## What it checks
`loss_type=luspo` wants `importance_sampling_level=sequence`, `vespo` wants `token`; and `vespo` with vLLM's
correction wants `vllm_importance_sampling_mode` token_truncate or token_mask, where sequence_mask is the default.

## Why it matters
TRL warns of the first two, and the last one it refuses.

## Example
    GRPOConfig(loss_type="vespo", use_vllm=True)

## Instead
    GRPOConfig(loss_type="vespo", use_vllm=True, vllm_importance_sampling_mode="token_truncate")

## Fix safety
Unsafe: it changes the loss.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule

_LEVELS = {"luspo": "sequence", "vespo": "token"}
_MODE = "trl:vllm_importance_sampling_mode"


@rule(
    id="TR050",
    name="level-of-the-loss",
    summary="luspo or vespo with the other importance_sampling_level, or vespo with masks of sequences",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.28"},
    when={"trl:loss_type": ("luspo", "vespo")},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_trainer.py",
            "Warns of the two levels and raises ValueError for vespo with another mode; vespo came in 1.0.0, luspo in 0.28.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each that does not fit."""
    if "unsloth" in run.run.settings:
        raise NotApplicable
    loss = run.text("trl:loss_type") or ""
    wanted = _LEVELS.get(loss)
    if wanted is None:
        return
    level = run.text("trl:importance_sampling_level")
    if level is not None and level != wanted:
        yield run.finding(
            f"loss_type {loss} is made for importance_sampling_level={wanted}, and it is {level}",
            ("trl:loss_type", loss),
            ("trl:importance_sampling_level", level),
            changes=(SetOption("trl", "importance_sampling_level", wanted),),
            severity=Severity.WARNING,
        )
    if loss != "vespo" or run.flag("trl:use_vllm") is not True:
        return
    mode = run.text(_MODE)
    if run.flag("trl:vllm_importance_sampling_correction") is True and mode not in (
        None,
        "token_truncate",
        "token_mask",
    ):
        yield run.finding(
            f"loss_type vespo works with corrections of tokens only, and vllm_importance_sampling_mode is {mode}: "
            "TRL refuses it",
            ("trl:loss_type", "vespo"),
            (_MODE, mode),
            changes=(SetOption("trl", "vllm_importance_sampling_mode", "token_truncate"),),
        )
