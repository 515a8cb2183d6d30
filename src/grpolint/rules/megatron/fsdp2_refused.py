"""Torch FSDP2 with options that it excludes.

## What it checks
`--use-torch-fsdp2` with pipeline or expert parallelism, with the distributed optimizer, with fused gradient
accumulation (on by default), with fp16, with tied embeddings (the default) or with another checkpoint format than
torch_dist and torch_dcp.

## Why it matters
Megatron stops with an assertion on every rank. Three of these are what a script has for want of an option.

## Example
    --use-torch-fsdp2

## Instead
    --use-torch-fsdp2 --no-gradient-accumulation-fusion --untie-embeddings-and-output-weights --ckpt-format torch_dist

## Fix safety
None is offered: tied embeddings belong to the model, and the other options to its layout.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_SIZES = {"pipeline_model_parallel_size": "pipeline", "expert_model_parallel_size": "expert"}
_SWITCHES = (
    ("use_distributed_optimizer", True, "the distributed optimizer", "take --use-distributed-optimizer out"),
    (
        "gradient_accumulation_fusion",
        True,
        "fused gradient accumulation",
        "add --no-gradient-accumulation-fusion",
    ),
    ("fp16", True, "fp16", "use --bf16"),
    ("untie_embeddings_and_output_weights", False, "tied embeddings", "add --untie-embeddings-and-output-weights"),
)


@rule(
    id="MG061",
    name="torch-fsdp2-excludes",
    summary="use-torch-fsdp2 with what it excludes",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.10"},
    when={"megatron:use_torch_fsdp2": True},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts each of these where use_torch_fsdp2 is on.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    switch = "megatron:use_torch_fsdp2"
    if run.flag(switch) is not True:
        return
    for key, word in _SIZES.items():
        number = run.integer(f"megatron:{key}")
        if number is not None and number > 1:
            yield run.finding(
                f"use-torch-fsdp2 does not work with {word} parallel size {number}: Megatron refuses it",
                (switch, "FSDP2"),
                (f"megatron:{key}", f"{number} ranks"),
                help=f"take {word} parallelism out, or FSDP2",
            )
    for key, wrong, what, remedy in _SWITCHES:
        if run.flag(f"megatron:{key}") is wrong:
            yield run.finding(
                f"use-torch-fsdp2 does not work with {what}: Megatron refuses it",
                (switch, "FSDP2"),
                (f"megatron:{key}", ""),
                help=remedy,
            )
    kind = run.text("megatron:ckpt_format")
    if kind is not None and kind not in ("torch_dist", "torch_dcp"):
        yield run.finding(
            f"use-torch-fsdp2 does not save checkpoints in the format {kind}: Megatron refuses it",
            (switch, "FSDP2"),
            ("megatron:ckpt_format", kind),
            help="give --ckpt-format torch_dist or torch_dcp",
        )
