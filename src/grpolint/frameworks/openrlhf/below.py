"""The DeepSpeed configuration and the vLLM engine arguments that OpenRLHF builds from its own options.

Nobody writes them, so they are defaults of those frameworks in this run: each value has the origins of the OpenRLHF option
that decides it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.catalog import table
from grpolint.frameworks.asking import lower, positive, through, truth
from grpolint.frameworks.openrlhf.facts import FACTS, PPO, ask
from grpolint.run import FactFunction, Run, Settings
from grpolint.values import Unknown, Value, combine, plain
from grpolint.world import World

__all__ = ["put_deepspeed", "put_vllm"]


def _is(dtype: str) -> FactFunction:
    return through(lambda name: name == dtype, FACTS["precision"])


def _same(key: str, change: Any = lambda value: value) -> FactFunction:
    return lambda run: combine(change, ask(run, key))


_DEEPSPEED: Mapping[str, FactFunction] = {
    "zero_optimization.stage": _same("ds.zero_stage"),
    "zero_optimization.offload_optimizer.device": FACTS["offload_optimizer"],
    "zero_optimization.offload_param.device": FACTS["offload_params"],
    "zero_optimization.overlap_comm": _same("ds.overlap_comm", truth),
    "compile.deepcompile": _same("ds.deepcompile", truth),
    "gradient_clipping": FACTS["clip_norm"],
    "bf16.enabled": _is("bf16"),
    "fp16.enabled": _is("fp16"),
    "optimizer.type": FACTS["optimizer"],
    "optimizer.params.lr": FACTS["learning_rate"],
    "train_micro_batch_size_per_gpu": FACTS["micro_batch_per_gpu"],
    "tensor_parallel.autotp_size": FACTS["tp"],
}

_VLLM: Mapping[str, FactFunction] = {
    "tensor_parallel_size": PPO["rollout_tp"],
    "gpu_memory_utilization": PPO["rollout_memory"],
    "enforce_eager": PPO["enforce_eager"],
    "enable_prefix_caching": _same("vllm.enable_prefix_caching", truth),
    "enable_sleep_mode": PPO["rollout_sleep"],
    "max_model_len": PPO["context_length"],
    "model": FACTS["model"],
    "dtype": through(lower, PPO["rollout_dtype"]),
}


def put_deepspeed(run: Run, world: World) -> None:
    """Add DeepSpeed's settings as OpenRLHF writes them."""
    _put(run, world, "deepspeed", "config", _DEEPSPEED)


def put_vllm(run: Run, world: World) -> None:
    """Add vLLM's settings where OpenRLHF starts engines."""
    if positive_or_unknown(ask(run, "vllm.num_engines")):
        _put(run, world, "vllm", "engine", _VLLM)


def positive_or_unknown(value: Value | None) -> bool:
    """Whether a number is above zero or cannot be known."""
    found = combine(positive, value)
    return found is not None and (isinstance(found, Unknown) or bool(plain(found)))


def _put(run: Run, world: World, framework: str, name: str, made: Mapping[str, FactFunction]) -> None:
    version = world.version(framework)
    options = table(framework, name, version.text)

    def default(key: str) -> Value | None:
        value = made[key](run) if key in made else None
        if value is not None:
            return value
        return options.default(key) if options is not None else None

    tables = (options,) if options is not None else ()
    run.settings[framework] = Settings(framework, version, default, tables=tables)
