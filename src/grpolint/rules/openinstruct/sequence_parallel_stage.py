"""Sequence parallelism without DeepSpeed stage 3.

## What it checks
`--sequence_parallel_size` above 1 needs `--deepspeed_stage 3`; 0 is the default.

## Why it matters
open-instruct raises ValueError while it reads the flags.

## Example
    python open_instruct/grpo_fast.py --sequence_parallel_size 2 --deepspeed_stage 2

## Instead
    python open_instruct/grpo_fast.py --sequence_parallel_size 2 --deepspeed_stage 3

## Fix safety
Safe: the run does not start otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="OI004",
    name="sequence-parallel-below-stage-3",
    summary="sequence parallelism without DeepSpeed stage 3",
    severity=Severity.ERROR,
    frameworks={"open-instruct": ">=0.1"},
    when={"open-instruct:sequence_parallel_size": above(1)},
    evidence=(
        Evidence(
            "open-instruct 0.3.0: open_instruct/grpo_utils.py",
            "https://github.com/allenai/open-instruct/blob/v0.3.0/open_instruct/grpo_utils.py",
            "The configuration raises ValueError for other stages.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for any other stage."""
    size = run.integer("open-instruct:sequence_parallel_size")
    stage = run.integer("open-instruct:deepspeed_stage") if size is not None and size > 1 else None
    if stage is None or stage == 3:
        return
    yield run.finding(
        f"sequence_parallel_size {size} needs deepspeed_stage 3, not {stage}",
        ("open-instruct:sequence_parallel_size", "sequence parallel"),
        ("open-instruct:deepspeed_stage", f"stage {stage}"),
        changes=(SetOption("open-instruct", "deepspeed_stage", 3, safe=True),),
    )
