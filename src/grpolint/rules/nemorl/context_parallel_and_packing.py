"""Context parallelism with packing under DTensor, or without it under Megatron.

## What it checks
A context parallel size above 1: DTensor refuses sequence packing with it (and sequence parallelism over several
tensor ranks), Megatron demands sequence packing.

## Why it matters
The worker stops while it loads the model.

## Example
    uv run examples/run_grpo.py policy.dtensor_cfg.context_parallel_size=2 policy.sequence_packing.enabled=true

## Instead
    uv run examples/run_grpo.py policy.dtensor_cfg.context_parallel_size=2 policy.sequence_packing.enabled=false

## Fix safety
Safe: the run does not start otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_PACKING = "nemo-rl:policy.sequence_packing.enabled"
_SEQUENCE = "nemo-rl:policy.dtensor_cfg.sequence_parallel"


@rule(
    id="NR017",
    name="context-parallel-and-packing",
    summary="context parallelism with packing under DTensor, or without it under Megatron",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.3"},
    when={"fact:cp": above(1)},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/models/automodel/setup.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/models/automodel/setup.py",
            "Raises ValueError for context parallelism with packing, AssertionError with sequence parallelism.",
        ),
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/models/megatron/setup.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/models/megatron/setup.py",
            "Asserts sequence packing for a context parallel size above 1.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each combination that is refused."""
    size, engine = run.integer("fact:cp"), run.text("fact:engine")
    if size is None or size < 2 or engine not in ("megatron", "fsdp2"):
        return
    wanted = engine == "megatron"
    if run.flag(_PACKING) is not wanted and run.flag(_PACKING) is not None:
        yield run.finding(
            f"context parallel size {size} {'needs' if wanted else 'excludes'} sequence packing in NeMo-RL's {_NAMES[engine]} backend",
            ("fact:cp", "context parallel"),
            (_PACKING, "packing is off" if wanted else "packing is on"),
            changes=(SetOption("nemo-rl", "policy.sequence_packing.enabled", wanted, safe=True),),
        )
    if not wanted and run.flag(_SEQUENCE) and (run.integer("fact:tp") or 1) > 1:
        yield run.finding(
            f"context parallel size {size} and sequence parallelism exclude each other in NeMo-RL's DTensor backend",
            ("fact:cp", "context parallel"),
            (_SEQUENCE, "sequence parallel"),
            changes=(SetOption("nemo-rl", "policy.dtensor_cfg.sequence_parallel", False, safe=True),),
        )


_NAMES = {"megatron": "Megatron", "fsdp2": "DTensor"}
