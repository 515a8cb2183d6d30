"""DeepEP with a dispatcher that does not use it.

## What it checks
`moe_enable_deepep` with another `moe_token_dispatcher_type` than flex, on Megatron's command line (where the
default is allgather), in slime, and in verl's `override_transformer_config` (where verl sets alltoall unless the
type is given).

## Why it matters
Megatron refuses the configuration of the model on every rank.

## Example
    --moe-enable-deepep --moe-token-dispatcher-type alltoall

## Instead
    --moe-enable-deepep --moe-token-dispatcher-type flex

## Fix safety
Safe: the dispatcher moves tokens another way and changes no result beyond rounding.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.megatron._transformer import either, place


@rule(
    id="MG030",
    name="deepep-without-flex",
    summary="DeepEP and the other flexible backends need moe_token_dispatcher_type flex",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.12", "verl": ">=0.5"},
    when={either("moe_enable_deepep"): True, "fact:engine": "megatron"},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ raises ValueError for moe_enable_deepep with another dispatcher than flex.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/engine/megatron/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/megatron/transformer_impl.py",
            "The dispatcher is alltoall unless override_transformer_config has another.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("fact:engine") != "megatron":
        return
    switch, kind = place(run, "moe_enable_deepep"), place(run, "moe_token_dispatcher_type")
    framework, _, key = kind.partition(":")
    if run.flag(switch) is not True or run.flag("fact:moe") is not True:
        return
    dispatcher = run.text(kind) or ("alltoall" if framework == "verl" else None)
    if dispatcher is not None and dispatcher != "flex":
        yield run.finding(
            f"moe_enable_deepep with moe_token_dispatcher_type {dispatcher}: Megatron has DeepEP in the flex dispatcher only",
            (switch, "DeepEP"),
            (kind, f"{dispatcher} dispatcher"),
            changes=(SetOption(framework, key, "flex", safe=True),),
        )
