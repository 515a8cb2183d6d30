"""Facts of an SGLang server: it is a rollout engine and trains nothing."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks.asking import constant, lower, option, through, truth
from grpolint.run import FactFunction, Run
from grpolint.values import Unknown, Value, combine, plain

__all__ = ["FACTS"]


def _eager(run: Run) -> Value | None:
    """No CUDA graphs: by the old switch, or by the backends that newer releases choose for decoding."""
    switch = option("sglang", "disable_cuda_graph")(run)
    if isinstance(switch, Unknown) or (switch is not None and truth(plain(switch))):
        return combine(truth, switch)
    backend = option("sglang", "cuda_graph_backend_decode")(run)
    if backend is not None:
        return combine(lambda name: lower(name) == "disabled", backend)
    return combine(truth, switch)


FACTS: Mapping[str, FactFunction] = {
    "rollout_engine": constant("sglang", "SGLang"),
    "rollout_tp": option("sglang", "tp_size"),
    "rollout_memory": option("sglang", "mem_fraction_static"),
    "rollout_dtype": through(lower, option("sglang", "dtype")),
    "enforce_eager": _eager,
    "rollout_sleep": through(truth, option("sglang", "enable_memory_saver")),
    "context_length": option("sglang", "context_length"),
    "model": option("sglang", "model_path"),
}
