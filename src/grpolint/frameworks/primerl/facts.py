"""Facts of a prime-rl run, from the options that its files write (0.5 to 0.8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.frameworks.asking import constant, lower, option, through, times
from grpolint.run import FactFunction, Run
from grpolint.values import Unknown, Value, plain

__all__ = ["FACTS", "SFT"]


def _ask(*keys: str) -> FactFunction:
    return option("prime-rl", *keys)


_NODES = _ask("deployment.num_train_nodes")
_GPUS = _ask("deployment.gpus_per_node")


def _world(run: Run) -> Value | None:
    """Devices of the trainer: whole nodes of a deployment over several, else those that it is given on one."""
    kind = _ask("deployment.type")(run)
    if isinstance(kind, Unknown):
        return kind
    if plain(kind) == "multi_node":
        return through(times, _NODES, _GPUS)(run)
    return _ask("deployment.num_train_gpus")(run)


def _size(value: Any) -> int:
    """A parallel size; `auto` is none."""
    return int(value)


_N = _ask("orchestrator.group_size", "orchestrator.rollouts_per_example")
_ALGORITHM = through(lower, _ask("orchestrator.algo.type"))
_BATCH = _ask("orchestrator.batch_size")

FACTS: Mapping[str, FactFunction] = {
    "trainer_kind": constant("grpo", "the program rl"),
    "nodes": _NODES,
    "gpus_per_node": _GPUS,
    "world_size": _world,
    "cp": through(_size, _ask("trainer.model.cp")),
    "ep": through(_size, _ask("trainer.model.ep")),
    "engine": constant("fsdp2", "prime-rl"),
    "group_size": _N,
    "advantage": _ALGORITHM,
    "group_relative": lambda run: constant(True, "its algorithm")(run) if plain(_ALGORITHM(run)) == "grpo" else None,
    "train_batch_samples": _BATCH,
    "rollout_engine": constant("vllm", "prime-rl"),
    "rollout_colocated": constant(False, "prime-rl"),
    "rollout_tp": _ask("inference.vllm.tensor_parallel_size", "inference.parallel.tp"),
    "rollout_memory": _ask("inference.vllm.gpu_memory_utilization", "inference.gpu_memory_utilization"),
    "context_length": _ask("inference.vllm.max_model_len", "inference.model.max_model_len"),
    "response_length": _ask(
        "orchestrator.train.sampling.max_completion_tokens",
        "orchestrator.sampling.max_completion_tokens",
        "orchestrator.sampling.max_tokens",
    ),
    "optimizer": through(lower, _ask("trainer.optim.type")),
    "learning_rate": through(float, _ask("trainer.optim.lr")),
    "clip_norm": through(float, _ask("trainer.optim.max_norm")),
    "lora_rank": _ask("trainer.model.lora.rank"),
    "model": _ask("trainer.model.name", "model.name"),
    "save_every": _ask("ckpt.interval", "trainer.ckpt.interval"),
}
"""Facts of the program that starts all three."""

SFT: Mapping[str, FactFunction] = {
    "trainer_kind": constant("sft", "the program sft"),
    "learning_rate": through(float, _ask("sft.optim.lr")),
    "model": _ask("sft.model.name"),
}
"""Facts of supervised fine-tuning."""
