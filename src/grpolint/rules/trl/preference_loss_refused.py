"""Options of DPO that its losses do not take.

## What it checks
In DPO: `exo_pair` without `label_smoothing`, `use_weighting` with `aot` or `aot_unpaired`, and since 1.10 an
`f_divergence_type` other than reverse_kl with a loss that has no such form.

## Why it matters
DPOTrainer refuses each of them.

## Example
    DPOConfig(loss_type=["exo_pair"])

## Instead
    DPOConfig(loss_type=["exo_pair"], label_smoothing=1e-3)

## Fix safety
None is offered: the loss is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, NotApplicable, rule
from grpolint.versions import satisfies

_DIVERGENT = {"sigmoid", "sigmoid_norm", "hinge", "ipo", "exo_pair", "robust", "discopop", "sft"}
"""Losses that have a form for other divergences."""


@rule(
    id="TR042",
    name="preference-loss-refused",
    summary="loss types of DPO with options that they exclude",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.29"},
    when={"trl:loss_type|trl:f_divergence_type": SET},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/dpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/dpo_trainer.py",
            "DPOTrainer raises ValueError or NotImplementedError for each; the last one since 1.10.0, the others since 0.29.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each pair that is refused."""
    if run.text("fact:trainer_kind") != "dpo":
        raise NotApplicable
    losses = run.known("trl:loss_type")
    named = [str(each) for each in (losses if isinstance(losses, list) else [losses or "sigmoid"])]
    if "exo_pair" in named and run.number("trl:label_smoothing") == 0:
        yield run.finding(
            "loss_type exo_pair wants label_smoothing above 0: TRL refuses it",
            ("trl:loss_type", "exo_pair"),
            ("trl:label_smoothing", "0"),
            help="set label_smoothing to 1e-3",
        )
    sorted_ = [each for each in named if each in ("aot", "aot_unpaired")]
    if sorted_ and run.flag("trl:use_weighting") is True:
        yield run.finding(
            f"use_weighting does not work with loss_type {sorted_[0]}: TRL refuses it",
            ("trl:use_weighting", "weights"),
            ("trl:loss_type", "sorts the samples"),
            help="leave use_weighting off",
        )
    other = [each for each in named if each not in _DIVERGENT]
    divergence = run.text("trl:f_divergence_type") or "reverse_kl"
    if other and divergence != "reverse_kl" and satisfies(run.run.settings["trl"].version.text, ">=1.10"):
        yield run.finding(
            f"loss_type {other[0]} has no form for f_divergence_type {divergence}: TRL refuses it",
            ("trl:f_divergence_type", divergence),
            ("trl:loss_type", other[0]),
            help="use reverse_kl with it",
        )
