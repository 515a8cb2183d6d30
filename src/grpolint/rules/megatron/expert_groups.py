"""Groups of experts that do not fit.

## What it checks
`moe_router_group_topk` without `moe_router_num_groups`, groups that do not divide the experts, and more chosen
groups than there are, on Megatron's command line, in slime and in verl's `override_transformer_config`.

## Why it matters
Megatron refuses the configuration of the model on every rank.

## Example
    --num-experts 160 --moe-router-num-groups 7 --moe-router-group-topk 3

## Instead
    --num-experts 160 --moe-router-num-groups 8 --moe-router-group-topk 3

## Fix safety
None is offered: the groups belong to the model.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.megatron._transformer import either, place, states
from grpolint.rules.relations import Size, Term, at_least, multiple


@rule(
    id="MG034",
    name="expert-groups-not-dividing",
    summary="group limited routing with groups that do not fit the experts",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.11", "verl": ">=0.5"},
    when={either("moe_router_group_topk"): above(0)},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ raises ValueError or asserts each of the three.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    chosen, groups = place(run, "moe_router_group_topk"), place(run, "moe_router_num_groups")
    number = run.integer(chosen)
    if not number or not states(run, "moe_router_num_groups"):
        return
    if run.integer(groups) is None:
        yield run.finding(
            f"moe_router_group_topk {number} without moe_router_num_groups: Megatron cannot tell the groups",
            (chosen, "groups to choose"),
            (groups, "not given"),
            help="give moe_router_num_groups as the model has it",
        )
    part = Size.of(run, Term(groups, "moe_router_num_groups", "groups"))
    yield from multiple(
        run, Size.of(run, Term("fact:experts", "experts")), part, "every group has the same number of experts"
    )
    yield from at_least(
        run, part, Size.of(run, Term(chosen, "moe_router_group_topk", "chosen")), "no more groups can be chosen"
    )
