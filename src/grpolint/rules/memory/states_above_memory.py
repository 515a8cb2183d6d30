"""Training states that do not fit on the devices.

## What it checks
Where the accelerator is known: weights, gradients and the states of Adam of a full fine-tuning, over the devices that share
them, against the memory of one device. With FSDP in verl and with DeepSpeed's ZeRO.

## Why it matters
The first optimizer step runs out of memory, after the first rollout. Manual offloading in verl does not help: during the step
all of them are on the device.

## Example
    #SBATCH --gres=gpu:a100:1
    python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct trainer.n_gpus_per_node=1

## Instead
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct trainer.n_gpus_per_node=4

## Fix safety
None is offered: more devices, adapters or offloading are choices.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.memory._amounts import GIB, gib, in_part

_FSDP = "verl:actor_rollout_ref.actor.fsdp_config"
_HALF = ("bf16", "bfloat16", "fp16", "float16")


@rule(
    id="MM003",
    name="states-above-memory",
    summary="weights, gradients and optimizer states do not fit on the devices",
    severity=Severity.ERROR,
    when={"fact:gpu_memory": above(0), "fact:engine": ("fsdp", "fsdp2", "deepspeed")},
    evidence=(
        Evidence(
            "paper: Rajbhandari et al. 2020, ZeRO, section 3",
            "https://arxiv.org/abs/1910.02054",
            "Mixed-precision training with Adam takes 16 bytes for each parameter, which the stages of ZeRO divide by the ranks.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/engine/fsdp/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/fsdp/transformer_impl.py",
            "Weights are loaded in model_dtype, fp32 by default, and moved to the device for training even where they are "
            "offloaded between the phases.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if the states alone exceed the device."""
    memory = run.number("fact:gpu_memory")
    if not memory or run.text("fact:optimizer") not in ("adam", "adamw") or run.integer("fact:lora_rank"):
        return
    parameters, ranks = run.integer("fact:parameters"), run.integer("fact:world_size")
    if parameters is None or not ranks or run.known("fact:quantized_weights") is not False:
        return
    terms = _fsdp(run, ranks) if run.text("fact:engine") in ("fsdp", "fsdp2") else _zero(run, ranks)
    needed = sum(parameters * width / shards for _, width, shards in terms)
    if needed <= memory * GIB:
        return
    shown = " + ".join(f"{what} {width} bytes{f' / {shards}' if shards > 1 else ''}" for what, width, shards in terms)
    yield run.finding(
        f"{parameters / 1e9:.1f}e9 parameters * ({shown}) = {gib(needed)} per GPU > {memory:g} GiB",
        ("fact:world_size", f"{ranks} GPUs"),
        ("fact:model", "model"),
        ("fact:gpu", f"{memory:g} GiB"),
        ("fact:optimizer", "optimizer"),
        help="take more GPUs, train an adapter (LoRA), or keep optimizer states in host memory",
    )


def _fsdp(run: Inquiry, ranks: int) -> list[tuple[str, int, int]]:
    """Bytes of a parameter in verl under FSDP, and over how many ranks: all of it is sharded."""
    if "verl" not in run.run.settings or run.known(f"{_FSDP}.offload_policy") not in (None, False):
        return []
    part = run.integer(f"{_FSDP}.fsdp_size") or -1
    shards = part if 0 < part < ranks else ranks
    half = str(run.known(f"{_FSDP}.model_dtype") or "fp32").lower() in _HALF
    return [("weights", 2, shards), ("gradients", 2, shards), ("Adam", 4, shards)] if half else [
        ("weights", 4, shards), ("gradients", 4, shards), ("Adam", 8, shards)]  # fmt: skip


def _zero(run: Inquiry, ranks: int) -> list[tuple[str, int, int]]:
    """Bytes of a parameter under DeepSpeed with a half precision, and over how many ranks each part is sharded."""
    stage = run.integer("fact:zero_stage")
    if in_part(run):
        return []
    if stage is None or run.text("fact:precision") not in ("bf16", "fp16"):
        return []
    away = [run.text(f"fact:{name}") not in (None, "none") for name in ("offload_params", "offload_optimizer")]
    terms = [("weights", 2, ranks if stage >= 3 else 1), ("gradients", 2, ranks if stage >= 2 else 1)]
    terms.append(("Adam", 12, ranks if stage >= 1 else 1))
    if away[1]:
        terms = terms[:1]
    return [] if away[0] else terms
