"""An adapter with a DTensor worker or kernel that does not support it.

## What it checks
`policy.dtensor_cfg.lora_cfg.enabled: true` with `policy.dtensor_cfg._v2: false`, or with `use_triton: true` and a
tensor parallel size above 1.

## Why it matters
NeMo-RL asserts both when it makes the policy.

## Example
    uv run examples/run_sft.py policy.dtensor_cfg.lora_cfg.enabled=true policy.dtensor_cfg.tensor_parallel_size=2

## Instead
    uv run examples/run_sft.py policy.dtensor_cfg.lora_cfg.enabled=true policy.dtensor_cfg.tensor_parallel_size=2 policy.dtensor_cfg.lora_cfg.use_triton=false

## Fix safety
Safe: the run does not start otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_DTENSOR = "nemo-rl:policy.dtensor_cfg"


@rule(
    id="NR019",
    name="adapter-not-supported",
    summary="an adapter with a DTensor worker or kernel that does not support it",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.5"},
    when={"nemo-rl:policy.dtensor_cfg.lora_cfg.enabled": True},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/models/policy/lm_policy.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/models/policy/lm_policy.py",
            "Policy asserts that LoRA is off for the first DTensor worker.",
        ),
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/models/automodel/setup.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/models/automodel/setup.py",
            "Asserts that use_triton is off for tensor parallelism.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it is not supported."""
    if not run.flag(f"{_DTENSOR}.lora_cfg.enabled") or run.text("fact:engine") != "fsdp2":
        return
    wrong, size = "", run.integer("fact:tp") or 1
    if run.flag(f"{_DTENSOR}._v2") is False:
        wrong, key, value, place = "the first DTensor worker trains no adapter", "_v2", True, "first worker"
    elif size > 1 and run.flag(f"{_DTENSOR}.lora_cfg.use_triton"):
        wrong, key, value, place = (
            f"use_triton excludes tensor parallel size {size}",
            "lora_cfg.use_triton",
            False,
            "Triton kernels",
        )
    if wrong:
        yield run.finding(
            f"NeMo-RL refuses the adapter: {wrong}",
            (f"{_DTENSOR}.{key}", place),
            (f"{_DTENSOR}.lora_cfg.enabled", "an adapter is trained"),
            changes=(SetOption("nemo-rl", f"policy.dtensor_cfg.{key}", value, safe=True),),
        )
