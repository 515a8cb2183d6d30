"""Many experts chosen by logits of low precision.

## What it checks
A mixture of 32 or more experts in Megatron whose router computes in the model's type (bf16 or fp16), since
`--moe-router-dtype` is not given.

## Why it matters
The softmax is in fp32 in any case; the product before it is not. In bf16 close logits round to the same value, so that
trainer and rollout engine choose other experts for the same token. Megatron warns of it itself from 32 experts on. It is
about agreement and precision: no overflow, and no remedy for logits that are infinite already.

## Example
    torchrun pretrain_gpt.py --num-experts 128 --moe-router-topk 8 --bf16

## Instead
    torchrun pretrain_gpt.py --num-experts 128 --moe-router-topk 8 --bf16 --moe-router-dtype fp32

## Fix safety
Unsafe: it changes which experts are chosen.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_MANY = 32


@rule(
    id="MO001",
    name="router-precision",
    summary="the router of many experts computes in low precision",
    severity=Severity.WARNING,
    frameworks={"megatron": ">=0.12"},
    when={"fact:experts": above(_MANY - 1), "fact:router_dtype": ("bf16", "fp16")},
    evidence=(
        Evidence(
            "megatron-core 0.19.2: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.2/megatron/core/transformer/transformer_config.py",
            "Warns for 32 and more experts without moe_router_dtype; the first release that does is 0.12.0.",
        ),
        Evidence(
            "megatron-core 0.19.2: megatron/core/transformer/moe/router.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.2/megatron/core/transformer/moe/router.py",
            "moe_router_dtype is the type of the router's product; the softmax is always computed in fp32.",
        ),
    ),
    aliases=("D17", "N14"),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for many experts and a half precision."""
    experts, dtype = run.integer("fact:experts"), run.text("fact:router_dtype")
    if experts is None or experts < _MANY or dtype not in ("bf16", "fp16") or run.run.trainer != "megatron":
        return
    yield run.finding(
        f"the router chooses among {experts} experts by logits in {dtype}: close ones become equal",
        ("fact:experts", f"{experts} experts"),
        "megatron:moe_router_dtype",
        ("fact:router_dtype", "type of the model"),
        changes=(SetOption("megatron", "moe_router_dtype", "fp32"),),
    )
