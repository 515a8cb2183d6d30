"""An engine that wakes up beside the training states.

## What it checks
Where the accelerator is known: verl under FSDP on shared devices, a full fine-tuning without `optimizer_offload`. The engine's share plus
the optimizer states and, without `param_offload`, the weights against the memory of a device.

## Why it matters
From the second step on the states of Adam exist, and the engine takes its share again: out of memory in `cumem_allocator` or
`torch_memory_saver`. A sum that is above by less than a twentieth, and SGLang, whose share is one of what was free when it started, are
warnings.

## Example
    #SBATCH --gres=gpu:a100:4
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct actor_rollout_ref.rollout.gpu_memory_utilization=0.8

## Instead
    actor_rollout_ref.actor.fsdp_config.param_offload=True actor_rollout_ref.actor.fsdp_config.optimizer_offload=True

## Fix safety
Safe: offloading moves states and changes no number.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.memory._amounts import GIB, gib
from grpolint.rules.verl._trainer import ppo_trainer

_FSDP = "actor_rollout_ref.actor.fsdp_config"


@rule(
    id="MM020",
    name="engine-beside-states",
    summary="the engine's share and the resident training states exceed the device",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.4"},
    when={"fact:gpu_memory": above(0), "fact:rollout_colocated": True},
    evidence=(
        Evidence(
            "verl-project/verl#302",
            "https://github.com/verl-project/verl/issues/302",
            "Out of memory where vLLM wakes up; the cure was a smaller share.",
        ),
        Evidence(
            "vllm-project/vllm#15254",
            "https://github.com/vllm-project/vllm/issues/15254",
            "What is on the device at once when a colocated engine wakes up.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/engine_workers.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine_workers.py",
            "Only with offloading the parameters leave the device before the engine wakes up.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the sum if it exceeds the device."""
    memory, share = run.number("fact:gpu_memory"), run.number("fact:rollout_memory")
    if not memory or not share or share > 1 or run.known("fact:rollout_colocated") is not True:
        return
    if run.text("fact:engine") not in ("fsdp", "fsdp2") or run.text("fact:optimizer") not in ("adam", "adamw"):
        return
    if run.integer("fact:lora_rank") or run.known(f"verl:{_FSDP}.offload_policy") is True:
        return
    ranks, parameters = run.integer("fact:world_size"), run.integer("fact:parameters")
    if not ranks or parameters is None or run.flag(f"verl:{_FSDP}.optimizer_offload") is not False:
        return
    half = str(run.known(f"verl:{_FSDP}.model_dtype") or "fp32").lower() in ("bf16", "bfloat16", "fp16", "float16")
    width = (4 if half else 8) + (0 if run.flag(f"verl:{_FSDP}.param_offload") is not False else 2 if half else 4)
    part = run.integer(f"verl:{_FSDP}.fsdp_size") or -1
    shards = part if 0 < part < ranks else ranks
    states, taken = parameters * width / shards, share * memory * GIB
    if states + taken <= memory * GIB:
        return
    sure = run.text("fact:rollout_engine") == "vllm" and states + taken > 1.05 * memory * GIB
    yield run.finding(
        f"share {share:g} * {memory:g} GiB = {gib(taken)} for the engine + {parameters / 1e9:.1f}e9 parameters * {width} bytes / {shards} = "
        f"{gib(states)} of training states > {memory:g} GiB",
        ("fact:rollout_memory", "share of the engine"),
        ("fact:model", "model"),
        ("fact:world_size", f"{ranks} GPUs"),
        (f"verl:{_FSDP}.optimizer_offload", "states stay"),
        changes=tuple(
            SetOption("verl", f"{_FSDP}.{name}_offload", value=True, safe=True) for name in ("param", "optimizer")
        ),
        severity=None if sure else Severity.WARNING,
    )
