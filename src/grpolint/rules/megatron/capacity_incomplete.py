"""Capacities of experts that the rest does not allow.

## What it checks
`--moe-pad-expert-input-to-capacity` without `--moe-expert-capacity-factor`, a capacity factor with sinkhorn
balancing, and padding with the flex dispatcher of DeepEP.

## Why it matters
Megatron refuses the configuration of the model on every rank.

## Example
    --moe-pad-expert-input-to-capacity

## Instead
    --moe-pad-expert-input-to-capacity --moe-expert-capacity-factor 1.5

## Fix safety
None is offered: a capacity drops tokens, which is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule, show
from grpolint.rules.megatron._transformer import either, place


@rule(
    id="MG033",
    name="capacity-options-contradict",
    summary="capacity options of experts that do not go together",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.12", "verl": ">=0.5"},
    when={f"{either('moe_pad_expert_input_to_capacity')}|{either('moe_expert_capacity_factor')}": SET},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ raises ValueError for each of the three.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    padded, factor = place(run, "moe_pad_expert_input_to_capacity"), place(run, "moe_expert_capacity_factor")
    balance, kind = place(run, "moe_router_load_balancing_type"), place(run, "moe_token_dispatcher_type")
    share = run.number(factor)
    if run.flag(padded) is True:
        if share is None or share < 0:
            yield run.finding(
                "experts are padded to a capacity that nobody gives: Megatron wants moe_expert_capacity_factor",
                (padded, "pads"),
                (factor, "not given"),
                help="give moe_expert_capacity_factor, or take the padding out",
            )
        elif run.text(kind) == "flex" and run.flag(place(run, "moe_enable_deepep")) is True:
            yield run.finding(
                "DeepEP does not pad experts to a capacity: Megatron refuses it with the flex dispatcher",
                (padded, "pads"),
                (kind, "flex"),
                help="take the padding out, or use the alltoall dispatcher",
            )
    if share is not None and "sinkhorn" in str(run.known(balance)):
        yield run.finding(
            f"a capacity factor of {show(share)} does not work with sinkhorn balancing: Megatron refuses it",
            (factor, "drops tokens"),
            (balance, "sinkhorn"),
            help="use aux_loss, seq_aux_loss, global_aux_loss or none",
        )
