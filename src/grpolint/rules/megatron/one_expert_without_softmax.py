"""One expert for each token, weighed after the choice.

## What it checks
`--moe-router-topk 1` with the softmax score, without `--moe-router-pre-softmax` and with another load balancing
than sinkhorn.

## Why it matters
A softmax over one chosen score is 1 whatever the router says, so that the router would get no gradient. Megatron
refuses the configuration.

## Example
    --num-experts 16 --moe-router-topk 1

## Instead
    --num-experts 16 --moe-router-topk 1 --moe-router-pre-softmax

## Fix safety
Safe: without it the run stops.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Condition, equals, off, together


@rule(
    id="MG031",
    name="one-expert-without-pre-softmax",
    summary="moe-router-topk 1 needs moe-router-pre-softmax",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.11"},
    when={"megatron:moe_router_topk": 1},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ raises ValueError and asks for moe_router_pre_softmax where topk is 1.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("fact:moe") is not True or run.integer("megatron:moe_router_topk") != 1:
        return
    yield from together(
        run,
        "one expert for each token and a softmax after the choice leave the router without gradient: Megatron refuses it",
        equals("megatron:moe_router_topk", 1, label="one expert"),
        equals("megatron:moe_router_score_function", "softmax"),
        off("megatron:moe_router_pre_softmax"),
        Condition("megatron:moe_router_load_balancing_type", lambda run, ref: "sinkhorn" not in str(run.known(ref))),
        changes=(SetOption("megatron", "moe_router_pre_softmax", True, safe=True),),
    )
