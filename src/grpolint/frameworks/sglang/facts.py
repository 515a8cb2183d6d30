"""Facts of an SGLang server: it is a rollout engine and trains nothing."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks.asking import constant, lower, option, through, truth
from grpolint.run import FactFunction

__all__ = ["FACTS"]

FACTS: Mapping[str, FactFunction] = {
    "rollout_engine": constant("sglang", "SGLang"),
    "rollout_tp": option("sglang", "tp_size"),
    "rollout_memory": option("sglang", "mem_fraction_static"),
    "rollout_dtype": through(lower, option("sglang", "dtype")),
    "enforce_eager": through(truth, option("sglang", "disable_cuda_graph")),
    "rollout_sleep": through(truth, option("sglang", "enable_memory_saver")),
    "context_length": option("sglang", "context_length"),
    "model": option("sglang", "model_path"),
}
