"""Balancing losses of experts that are scaled wrongly.

## What it checks
A mixture of experts with `moe_aux_loss_coeff` or `moe_z_loss_coeff` above zero and `calculate_per_token_loss`,
where tensor times context parallel size is above 1, before Megatron Core 0.19.

## Why it matters
Gradients of these losses are divided by the tokens of all ranks and multiplied by those of one: they are too small
by the number of tensor and context parallel ranks, and the experts are balanced less than the coefficient says.
Nothing reports it.

## Example
    --num-experts 64 --moe-aux-loss-coeff 0.01 --calculate-per-token-loss --tensor-model-parallel-size 4 --sequence-parallel

## Instead
    pip install 'megatron-core>=0.19'

## Fix safety
None is offered: the remedy is another release.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term

_LOSSES = ("megatron:moe_aux_loss_coeff", "megatron:moe_z_loss_coeff")


def _positive(value: Any) -> bool:
    """Whether a coefficient, or one of several, is above zero."""
    values = value if isinstance(value, list) else [value]
    return any(isinstance(each, (int, float)) and each > 0 for each in values)


@rule(
    id="MG071",
    name="expert-losses-scaled-down",
    summary="balancing losses of experts are scaled wrongly under tensor or context parallelism before 0.19",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"megatron": ">=0.11,<0.19"},
    when={"megatron:calculate_per_token_loss": True, "fact:moe": True},
    evidence=(
        Evidence(
            "NVIDIA/Megatron-LM#5047",
            "https://github.com/NVIDIA/Megatron-LM/pull/5047",
            "Scales the losses by the tokens of all tensor and context parallel ranks; first in 0.19.0.",
        ),
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/moe/router.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/moe/router.py",
            "Multiplies by the local tokens and the size of the group; 0.18.0 by the local tokens alone.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("megatron:calculate_per_token_loss") is not True or run.flag("fact:moe") is not True:
        return
    loss = next((ref for ref in _LOSSES if _positive(run.known(ref))), None)
    if loss is None:
        return
    ranks = Size.of(
        run, Term("fact:tp", "tensor parallel size", assume=1), Term("fact:cp", "context parallel size", assume=1)
    )
    if ranks is not None and ranks.value > 1:
        version = run.run.settings["megatron"].version.text
        yield run.finding(
            f"the gradient of {loss.partition(':')[2]} is {ranks.value} times too small in Megatron {version}: {ranks.equation}",
            (loss, "balances experts"),
            ("megatron:calculate_per_token_loss", "divides by the tokens of all ranks"),
            *ranks.places,
            notes=("fixed in megatron-core 0.19.0",),
            help=f"use megatron-core 0.19 or later, or multiply the coefficient by {ranks.value}",
        )
