"""Facts of a vLLM server: it is a rollout engine and trains nothing."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks.asking import constant, lower, option, through, truth
from grpolint.run import FactFunction

__all__ = ["FACTS"]

FACTS: Mapping[str, FactFunction] = {
    "rollout_engine": constant("vllm", "vLLM"),
    "rollout_tp": option("vllm", "tensor_parallel_size"),
    "rollout_memory": option("vllm", "gpu_memory_utilization"),
    "rollout_dtype": through(lower, option("vllm", "dtype")),
    "enforce_eager": through(truth, option("vllm", "enforce_eager")),
    "rollout_sleep": through(truth, option("vllm", "enable_sleep_mode")),
    "context_length": option("vllm", "max_model_len"),
    "model": option("vllm", "model"),
}
