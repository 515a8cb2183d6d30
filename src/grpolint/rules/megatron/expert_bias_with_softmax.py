"""Balancing by expert biases with a softmax router.

## What it checks
`moe_router_enable_expert_bias` while the score function is softmax, which is the default, on Megatron's command
line, in slime and in verl's `override_transformer_config` where both are given.

## Why it matters
Megatron refuses the configuration: the biases balance experts for scores that are independent of each other.

## Example
    --moe-router-enable-expert-bias --moe-router-topk 8

## Instead
    --moe-router-enable-expert-bias --moe-router-score-function sigmoid --moe-router-topk 8

## Fix safety
None is offered: the score function belongs to the model.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.megatron._transformer import either, place, states


@rule(
    id="MG032",
    name="expert-bias-with-softmax",
    summary="moe-router-enable-expert-bias needs a sigmoid score",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.11", "verl": ">=0.5"},
    when={either("moe_router_enable_expert_bias"): True},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ raises ValueError for expert biases with other score functions than sigmoid and sqrtsoftplus.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    bias, score = place(run, "moe_router_enable_expert_bias"), place(run, "moe_router_score_function")
    if run.flag(bias) is not True or run.flag("fact:moe") is not True or not states(run, "moe_router_score_function"):
        return
    name = run.text(score)
    if name == "softmax":
        yield run.finding(
            "expert biases balance a router with sigmoid scores, and its score function is softmax: Megatron refuses it",
            (bias, "balances by biases"),
            (score, "softmax scores"),
            help="give moe_router_score_function sigmoid if the model has it, or leave the biases out",
        )
