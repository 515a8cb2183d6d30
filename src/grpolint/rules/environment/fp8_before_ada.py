"""Training in FP8 on a GPU before Ada.

## What it checks
`mixed_precision: fp8` of accelerate or `--fp8-format` of Megatron with a compute capability below 8.9.

## Why it matters
Transformer Engine and torchao have no FP8 below it (A100: 8.0, RTX 3090: 8.6): the first forward raises.

## Example
    accelerate launch --mixed_precision fp8 train.py   # --gpu a100

## Instead
    accelerate launch --mixed_precision bf16 train.py

## Fix safety
None is offered: the arithmetic of the run changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, above, rule

_TYPES = (
    ("accelerate:mixed_precision", ("fp8",)),
    ("megatron:fp8", ("e4m3", "hybrid")),
    ("slime:fp8_format", ("e4m3", "hybrid")),
)


@rule(
    id="EN037",
    name="fp8-before-ada",
    summary="training in FP8 on a GPU before Ada",
    severity=Severity.ERROR,
    frameworks={"accelerate": "", "megatron": "", "slime": ""},
    when={"|".join(ref for ref, _ in _TYPES): SET, "fact:gpu_memory": above(0)},
    evidence=(
        Evidence(
            "NVIDIA/TransformerEngine: transformer_engine/pytorch/quantization.py",
            "https://github.com/NVIDIA/TransformerEngine/blob/main/transformer_engine/pytorch/quantization.py",
            "FP8 is available for compute capability 8.9 and above.",
        ),
        Evidence(
            "accelerate 1.10.0: accelerate/utils/environment.py",
            "https://github.com/huggingface/accelerate/blob/v1.10.0/src/accelerate/utils/environment.py",
            "check_cuda_fp8_capability wants compute capability 8.9.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    ref = next((ref for ref, types in _TYPES if run.is_set(ref) and run.known(ref) in types), None)
    if ref is None:
        return
    capability = run.known("fact:gpu_capability")
    if capability is not None and tuple(capability) < (8, 9):
        version = ".".join(map(str, capability))
        yield run.finding(
            f"FP8 needs compute capability 8.9, and {run.text('fact:gpu')} has {version}",
            (ref, "FP8"),
            "fact:gpu",
            help="use bf16",
        )
