"""The width of experts without experts.

## What it checks
`--moe-ffn-hidden-size` without `--num-experts` on Megatron's command line, from release 0.18 on.

## Why it matters
Megatron refuses the configuration of the model. Earlier releases trained a dense model with the width of `--ffn-
hidden-size`, which nobody meant.

## Example
    --moe-ffn-hidden-size 768 --moe-router-topk 8

## Instead
    --moe-ffn-hidden-size 768 --moe-router-topk 8 --num-experts 128

## Fix safety
None is offered: the number of experts belongs to the model.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="MG076",
    name="expert-width-without-experts",
    summary="moe-ffn-hidden-size without num-experts",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.18"},
    when={"megatron:moe_ffn_hidden_size": SET},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ raises ValueError where the width is set and the number of experts is not.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    width = run.integer("megatron:moe_ffn_hidden_size")
    if width is None or run.integer("megatron:num_experts") or run.known("megatron:moe_layer_freq") not in (None, 1):
        return
    if run.ask("megatron:num_experts") is None:
        return
    yield run.finding(
        f"experts of width {width}, and no num-experts: Megatron refuses the model",
        ("megatron:moe_ffn_hidden_size", "width of experts"),
        ("megatron:num_experts", "no experts"),
        help="give --num-experts, or take the width out",
    )
