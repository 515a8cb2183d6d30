"""The devices of ROLL's engine are not a multiple of its parallel sizes.

## What it checks
`device_mapping` of `actor_infer` with vLLM must be a multiple of `tensor_parallel_size * pipeline_parallel_size` of
its strategy.

## Why it matters
ROLL asserts it while it reads the configuration.

## Example
    actor_infer:
      strategy_args: {strategy_name: vllm, strategy_config: {tensor_parallel_size: 4}}
      device_mapping: list(range(0,6))

## Instead
    actor_infer:
      strategy_args: {strategy_name: vllm, strategy_config: {tensor_parallel_size: 2}}
      device_mapping: list(range(0,6))

## Fix safety
Unsafe: another layout may not fit.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.frameworks.roll.devices import devices
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="RO003",
    name="engine-devices-not-divisible",
    summary="the devices of ROLL's engine are not a multiple of its parallel sizes",
    severity=Severity.ERROR,
    frameworks={"roll": ">=0.1"},
    when={"fact:rollout_engine": "vllm"},
    evidence=(
        Evidence(
            "roll 0.3.0: roll/configs/worker_config.py",
            "https://github.com/alibaba/ROLL/blob/v0.3.0/roll/configs/worker_config.py",
            "WorkerConfig takes tensor * pipeline parallel devices for a vLLM worker and asserts that the mapping is a multiple.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if devices are left over."""
    if run.text("fact:rollout_engine") != "vllm":
        return
    role = next((name for name in ("actor_infer", "student_infer") if run.known(f"roll:{name}.device_mapping")), None)
    if role is None:
        return
    config = f"roll:{role}.strategy_args.strategy_config"
    tp = run.integer(f"{config}.tensor_parallel_size") or 1
    pp = run.integer(f"{config}.pipeline_parallel_size") or 1
    try:
        count = len(devices(run.known(f"roll:{role}.device_mapping")))
    except ValueError:
        return
    if count % (tp * pp):
        yield run.finding(
            f"{count} devices of {role} are not a multiple of tensor {tp} * pipeline {pp} = {tp * pp}",
            (f"roll:{role}.device_mapping", f"{count} devices"),
            (f"{config}.tensor_parallel_size", "tensor parallel"),
        )
