"""Variables of Transformer Engine against the attention backend.

## What it checks
`NVTE_FLASH_ATTN`, `NVTE_FUSED_ATTN` and `NVTE_UNFUSED_ATTN` that the script sets, against the attention backend: of
Megatron's `--attention-backend` (auto by default, which wants 1 for all three), of slime, and of verl (flash by
default from 0.7 on).

## Why it matters
The model asserts that a variable is either not set or what the backend wants. Scripts of older releases set them by
hand.

## Example
    export NVTE_FUSED_ATTN=0
    torchrun --nproc_per_node 8 pretrain_gpt.py --attention-backend auto

## Instead
    torchrun --nproc_per_node 8 pretrain_gpt.py --attention-backend flash

## Fix safety
None is offered: the variables are shared by everything the script starts.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.megatron._transformer import place

_VARIABLES = ("NVTE_FLASH_ATTN", "NVTE_FUSED_ATTN", "NVTE_UNFUSED_ATTN")
_WANTED = {
    "flash": ("1", "0", "0"),
    "fused": ("0", "1", "0"),
    "unfused": ("0", "0", "1"),
    "local": ("0", "0", "0"),
    "auto": ("1", "1", "1"),
}


@rule(
    id="MG064",
    name="attention-variables-contradict",
    summary="NVTE_* variables against the attention backend",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.11", "verl": ">=0.6"},
    when={"|".join(f"env:{name}" for name in _VARIABLES): SET, "fact:engine": "megatron"},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/models/common/language_module/language_module.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/models/common/language_module/language_module.py",
            "Asserts that each variable is not set or has the value of the backend, and sets it.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    ref = place(run, "attention_backend")
    kind = (run.text(ref) or "").rpartition(".")[2]
    wanted = _WANTED.get(kind)
    if wanted is None or run.text("fact:engine") != "megatron" or run.text("megatron:transformer_impl") == "local":
        return
    for name, value in zip(_VARIABLES, wanted, strict=True):
        found = run.text(f"env:{name}")
        if found is not None and found.strip() != value:
            yield run.finding(
                f"{name} is {found}, and the attention backend {kind} wants {value}: Megatron refuses to build the model",
                (f"env:{name}", "set here"),
                (ref, f"backend {kind}"),
                help=f"do not set {name}; choose with the attention backend",
            )
