"""The devices of the policy are not a multiple of its parallel sizes.

## What it checks
The devices of the trainer against tensor * pipeline * context parallel size of the enabled backend. Where generation
is not colocated, its devices are not the trainer's.

## Why it matters
NeMo-RL raises ValueError when it makes the policy.

## Example
    uv run examples/run_grpo.py cluster.gpus_per_node=8 policy.dtensor_cfg.tensor_parallel_size=3

## Instead
    uv run examples/run_grpo.py cluster.gpus_per_node=8 policy.dtensor_cfg.tensor_parallel_size=4

## Fix safety
Unsafe: another layout may not fit.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="NR005",
    name="devices-not-divisible",
    summary="the devices of the policy are not a multiple of its parallel sizes",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.4"},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/models/policy/lm_policy.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/models/policy/lm_policy.py",
            "Policy raises ValueError unless the world size is a multiple of PP * CP * TP.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if devices are left over."""
    parts = Size.of(
        run,
        Term("fact:tp", "tensor", "tensor parallel", 1),
        Term("fact:pp", "pipeline", "pipeline parallel", 1),
        Term("fact:cp", "context parallel size", "context parallel", 1),
    )
    if parts is None or parts.value == 1:
        return
    devices = Size.of(run, Term("fact:world_size", "devices", "devices of the policy"))
    yield from multiple(run, devices, parts, "no data parallel size is left")
