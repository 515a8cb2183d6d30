"""Parameters gathered in FP8 without what that needs.

## What it checks
`--fp8-param-gather` without `--fp8-format`, or without the distributed optimizer and the FSDPs; and `--fp8-format`
together with `--fp4-format`.

## Why it matters
Megatron refuses the configuration on every rank.

## Example
    --fp8-param-gather --use-distributed-optimizer

## Instead
    --fp8-format hybrid --fp8-param-gather --use-distributed-optimizer

## Fix safety
None is offered: training in FP8 is another run.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_SHARDED = ("use_distributed_optimizer", "use_torch_fsdp2", "use_megatron_fsdp")


@rule(
    id="MG066",
    name="fp8-gather-alone",
    summary="fp8-param-gather without FP8 training or without sharded parameters",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.12"},
    when={"megatron:fp8_param_gather|megatron:fp4": SET},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts sharded parameters for fp8_param_gather, and raises ValueError for FP4 with FP8.",
        ),
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ raises ValueError for FP8 parameters without FP8 training.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    gather, form = "megatron:fp8_param_gather", "megatron:fp8"
    if run.flag(gather) is True:
        if run.known(form) is None:
            yield run.finding(
                "fp8-param-gather without fp8-format: Megatron refuses it",
                (gather, "gathers in FP8"),
                (form, "no FP8 training"),
                help="give --fp8-format, or take --fp8-param-gather out",
            )
        elif all(run.flag(f"megatron:{key}") is not True for key in _SHARDED):
            yield run.finding(
                "fp8-param-gather needs the distributed optimizer or FSDP: Megatron refuses it",
                (gather, "gathers in FP8"),
                ("megatron:use_distributed_optimizer", "off"),
                help="add --use-distributed-optimizer",
            )
    if run.known("megatron:fp4") is not None and run.known(form) is not None:
        yield run.finding(
            "fp8-format and fp4-format exclude each other: Megatron refuses it",
            ("megatron:fp4", "FP4"),
            (form, "FP8"),
            help="keep one of them",
        )
