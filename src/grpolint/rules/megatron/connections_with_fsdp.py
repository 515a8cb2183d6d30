"""One connection to the device under FSDP.

## What it checks
`CUDA_DEVICE_MAX_CONNECTIONS=1` together with `--use-torch-fsdp2` or `--use-megatron-fsdp`.

## Why it matters
Megatron stops with an assertion: with one connection communication cannot run beside computation. Launch scripts for
tensor parallelism set the variable, and it stays when FSDP is turned on.

## Example
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    torchrun --nproc_per_node 8 pretrain_gpt.py --use-megatron-fsdp

## Instead
    unset CUDA_DEVICE_MAX_CONNECTIONS
    torchrun --nproc_per_node 8 pretrain_gpt.py --use-megatron-fsdp

## Fix safety
None is offered: the variable is shared by everything the script starts.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_VARIABLE = "env:CUDA_DEVICE_MAX_CONNECTIONS"


@rule(
    id="MG003",
    name="connections-with-fsdp",
    summary="CUDA_DEVICE_MAX_CONNECTIONS=1 with FSDP",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.12"},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.16.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.16.0/megatron/training/arguments.py",
            "validate_args asserts that the variable is not 1 with either kind of FSDP.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text(_VARIABLE) != "1":
        return
    for key in ("use_torch_fsdp2", "use_megatron_fsdp"):
        if run.flag(f"megatron:{key}") is True:
            yield run.finding(
                f"--{key.replace('_', '-')} does not work with CUDA_DEVICE_MAX_CONNECTIONS=1: Megatron refuses it",
                (_VARIABLE, "one connection"),
                (f"megatron:{key}", "shards the model"),
                help="do not set CUDA_DEVICE_MAX_CONNECTIONS for this launch",
            )
