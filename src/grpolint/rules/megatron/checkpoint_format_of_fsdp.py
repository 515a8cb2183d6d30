"""A checkpoint format of another way of sharding.

## What it checks
`--ckpt-format fsdp_dtensor` without `--use-megatron-fsdp`, `--ckpt-format torch_dcp` without `--use-torch-fsdp2`,
and `--use-megatron-fsdp` with another format than fsdp_dtensor from release 0.18 on, where torch_dist is the
default.

## Why it matters
Megatron stops with an assertion on every rank.

## Example
    --use-megatron-fsdp --use-distributed-optimizer

## Instead
    --use-megatron-fsdp --use-distributed-optimizer --ckpt-format fsdp_dtensor

## Fix safety
None is offered: another format cannot load the checkpoints that are there.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.versions import satisfies


@rule(
    id="MG062",
    name="checkpoint-format-of-another-engine",
    summary="a checkpoint format that belongs to another way of sharding",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.14"},
    when={"megatron:ckpt_format|megatron:use_megatron_fsdp": SET},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts all three; the one for use_megatron_fsdp is there from 0.18 on.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    form, fsdp = "megatron:ckpt_format", "megatron:use_megatron_fsdp"
    kind = run.text(form)
    for name, switch in (("fsdp_dtensor", fsdp), ("torch_dcp", "megatron:use_torch_fsdp2")):
        if kind == name and run.flag(switch) is False:
            yield run.finding(
                f"the checkpoint format {name} is that of --{switch.partition(':')[2].replace('_', '-')}, which is off: Megatron refuses it",
                (form, name),
                (switch, "off"),
                help="give --ckpt-format torch_dist",
            )
    if kind is None or kind == "fsdp_dtensor" or run.flag(fsdp) is not True:
        return
    if satisfies(run.run.settings["megatron"].version.text, ">=0.18"):
        yield run.finding(
            f"use-megatron-fsdp saves checkpoints in the format fsdp_dtensor only, and it is {kind}: Megatron refuses it",
            (fsdp, "Megatron-FSDP"),
            (form, kind),
            help="give --ckpt-format fsdp_dtensor",
        )
