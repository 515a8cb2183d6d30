"""Engines of vLLM that do not share the processes evenly.

## What it checks
With vLLM in the trainer's own processes (`vllm_mode=colocate`), `vllm_tensor_parallel_size` must divide their number.

## Why it matters
GRPOTrainer refuses it after the model has been loaded.

## Example
    accelerate launch --num_processes 6 train.py --use_vllm true --vllm_mode colocate --vllm_tensor_parallel_size 4

## Instead
    accelerate launch --num_processes 8 train.py --use_vllm true --vllm_mode colocate --vllm_tensor_parallel_size 4

## Fix safety
None is offered: which of the two to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="TR006",
    name="engine-not-dividing-processes",
    summary="vllm_tensor_parallel_size does not divide the number of processes",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.18", "ms-swift": ">=3.5"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/generation/vllm_generation.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/generation/vllm_generation.py",
            "Raises ValueError unless the number of processes is a multiple of the tensor parallel size.",
        ),
        Evidence(
            "ms-swift 4.6.0: swift/rlhf_trainers/rollout_mixin.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/rlhf_trainers/rollout_mixin.py",
            "The same check where the engines share the trainer's devices.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.run.trainer == "ms-swift":
        uses, key = run.flag("ms-swift:use_vllm"), "ms-swift:vllm_tensor_parallel_size"
    else:
        uses, key = run.flag("trl:use_vllm"), "trl:vllm_tensor_parallel_size"
    if uses is not True or run.known("fact:rollout_colocated") is not True:
        return
    engine = Size.of(run, Term(key, "vllm_tensor_parallel_size"))
    if engine is None or engine.value < 2:
        return
    processes = Size.of(run, Term("fact:world_size", "number of processes"))
    yield from multiple(run, processes, engine, "every engine takes as many")
