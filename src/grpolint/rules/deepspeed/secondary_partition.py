"""A secondary partition that does not fit.

## What it checks
`zero_hpz_partition_size` (OpenRLHF's `zpg`) above 1: it must divide the processes, and works at ZeRO stage 3 only,
as `zero_quantized_weights` and `zero_quantized_gradients` do.

## Why it matters
DeepSpeed stops with an assertion when it makes the groups; at lower stages the options are ignored.

## Example
    deepspeed --num_gpus 8 train.py --deepspeed_config ds.json      with {"zero_hpz_partition_size": 6} at stage 3

## Instead
    deepspeed --num_gpus 8 train.py --deepspeed_config ds.json      with {"zero_hpz_partition_size": 8} at stage 3

## Fix safety
None is offered: it is a choice of memory and speed.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple

_SIZE = "deepspeed:zero_optimization.zero_hpz_partition_size"
_QUANTIZED = tuple(f"deepspeed:zero_optimization.zero_quantized_{what}" for what in ("weights", "gradients"))


@rule(
    id="DS036",
    name="secondary-partition-not-dividing",
    summary="zero_hpz_partition_size does not divide the processes, or has no effect below stage 3",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ""},
    when={"|".join((_SIZE, *_QUANTIZED)): SET},
    evidence=(
        Evidence(
            "deepspeed 0.19.5: deepspeed/utils/groups.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/utils/groups.py",
            "_create_zero_param_parallel_group asserts that the size, or the world if that is smaller, divides the world.",
        ),
        Evidence(
            "deepspeed 0.19.5: deepspeed/runtime/engine.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/runtime/engine.py",
            "Only the optimizer of stage 3 is given the three options.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    stage = run.integer("fact:zero_stage")
    if stage is not None and stage < 3:
        for ref in (_SIZE, *_QUANTIZED):
            value = run.known(ref)
            if run.is_set(ref) and (value is True or (ref == _SIZE and isinstance(value, int) and value > 1)):
                yield run.finding(
                    f"{ref.rpartition('.')[2]} has no effect at ZeRO stage {stage}: it belongs to stage 3",
                    (ref, "ignored"),
                    ("fact:zero_stage", f"stage {stage}"),
                    help="use stage 3, or take it out",
                    severity=Severity.WARNING,
                )
        return
    size = run.integer(_SIZE)
    if stage != 3 or size is None or size < 2:
        return
    processes = Size.of(run, Term("fact:world_size", "processes"))
    if processes is not None and size < processes.value:
        part = Size.of(run, Term(_SIZE, "zero_hpz_partition_size"))
        yield from multiple(run, processes, part, "DeepSpeed cannot build the groups of the secondary partition")
