"""Muon with a sharding that does not know it.

## What it checks
An optimizer other than Adam and SGD with `--use-megatron-fsdp` or `--use-torch-fsdp2`, or with another checkpoint
format than torch and torch_dist.

## Why it matters
Megatron stops with an assertion on every rank.

## Example
    --optimizer muon --use-megatron-fsdp --ckpt-format fsdp_dtensor

## Instead
    --optimizer muon --use-distributed-optimizer --ckpt-format torch_dist

## Fix safety
None is offered: another optimizer or sharding is another run.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="MG063",
    name="muon-with-fsdp",
    summary="Muon with Megatron's FSDPs or their checkpoint formats",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.18"},
    when={"megatron:optimizer": SET},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts all three for optimizers other than sgd and adam.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    name = run.text("megatron:optimizer")
    if name is None or name.lower() in ("adam", "sgd"):
        return
    for key in ("use_megatron_fsdp", "use_torch_fsdp2"):
        if run.flag(f"megatron:{key}") is True:
            yield run.finding(
                f"{key.replace('_', '-')} does not know the optimizer {name}: Megatron refuses it",
                ("megatron:optimizer", name),
                (f"megatron:{key}", "FSDP"),
                help="use the distributed optimizer without FSDP, or Adam",
            )
            return
    kind = run.text("megatron:ckpt_format")
    if kind is not None and kind not in ("torch", "torch_dist"):
        yield run.finding(
            f"the optimizer {name} saves checkpoints in the formats torch and torch_dist, and it is {kind}: Megatron refuses it",
            ("megatron:optimizer", name),
            ("megatron:ckpt_format", kind),
            help="give --ckpt-format torch_dist",
        )
