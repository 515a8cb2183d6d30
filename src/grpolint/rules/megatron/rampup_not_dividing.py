"""A ramp that does not reach the global batch.

## What it checks
`--rampup-batch-size START INCREMENT SAMPLES`: the global batch minus the start must be a multiple of the increment,
the start not above the global batch, and with micro batch * data parallel ranks the start and the increment must
make whole steps.

## Why it matters
Megatron stops with an assertion, for a start or an increment that leaves a remainder only when that batch size is
reached.

## Example
    --rampup-batch-size 32 48 100000 --global-batch-size 256

## Instead
    --rampup-batch-size 32 32 100000 --global-batch-size 256

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple

_RAMP = "megatron:rampup_batch_size"
_BATCH = "megatron:global_batch_size"


@rule(
    id="MG075",
    name="rampup-not-whole-steps",
    summary="rampup-batch-size that does not reach the global batch in whole steps",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.8"},
    when={_RAMP: SET},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/num_microbatches_calculator.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/num_microbatches_calculator.py",
            "RampupBatchsizeNumMicroBatchesCalculator asserts that the difference is a multiple of the increment, and divides every size by micro batch and ranks.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    ramp, batch = run.known(_RAMP), run.integer(_BATCH)
    if not isinstance(ramp, list) or len(ramp) != 3 or batch is None:
        return
    if not all(isinstance(each, int) for each in ramp) or ramp[1] < 1:
        return
    start, increment, _ = ramp
    if start > batch or (batch - start) % increment:
        yield run.finding(
            f"(global-batch-size {batch} - start {start}) / increment {increment} is not whole: Megatron refuses the ramp",
            (_RAMP, "ramp"),
            (_BATCH, "where it ends"),
            help="choose an increment that divides the difference",
        )
        return
    step = Size.of(run, Term("megatron:micro_batch_size", "micro-batch-size"), Term("fact:dp", "data-parallel ranks"))
    if step is None or run.flag("megatron:decrease_batch_size_if_needed") is True:
        return
    for number, word in ((start, "start"), (increment, "increment")):
        whole = Size(number, f"{word} {number} of rampup-batch-size", ((_RAMP, "ramp"),))
        yield from multiple(run, whole, step, "a step is a whole number of micro batches")
