"""Several connections to the device under tensor parallelism.

## What it checks
The script sets `CUDA_DEVICE_MAX_CONNECTIONS` to another value than 1 while the tensor or context parallel size is
above 1, without FSDP.

## Why it matters
On GPUs before Blackwell Megatron stops with an assertion: the order of communication and computation relies on one
connection.

## Example
    export CUDA_DEVICE_MAX_CONNECTIONS=8
    torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 4

## Instead
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 4

## Fix safety
None is offered: the variable is shared by everything the script starts.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_VARIABLE = "env:CUDA_DEVICE_MAX_CONNECTIONS"
_OTHERWISE = ("use_torch_fsdp2", "use_megatron_fsdp", "overlap_moe_expert_parallel_comm")
_WORDS = {"tp": "tensor", "cp": "context"}


@rule(
    id="MG004",
    name="connections-with-tensor-parallel",
    summary="tensor or context parallelism wants CUDA_DEVICE_MAX_CONNECTIONS=1",
    severity=Severity.WARNING,
    frameworks={"megatron": ">=0.10"},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/training/arguments.py",
            "validate_args asserts that the variable is 1 for these sizes on devices before Blackwell.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if _VARIABLE.removeprefix("env:") not in run.run.env:
        return
    value = run.text(_VARIABLE)
    if value is None or value == "1":
        return
    if any(run.flag(f"megatron:{key}") is True for key in _OTHERWISE):
        return
    for name in ("tp", "cp"):
        size = run.integer(f"fact:{name}")
        if size is not None and size > 1:
            yield run.finding(
                f"CUDA_DEVICE_MAX_CONNECTIONS is {value}, and with {_WORDS[name]} parallel size {size} Megatron wants 1 on GPUs "
                "before Blackwell",
                (_VARIABLE, f"{value} connections"),
                (f"fact:{name}", ""),
                help="set CUDA_DEVICE_MAX_CONNECTIONS=1 for this launch",
            )
            return
