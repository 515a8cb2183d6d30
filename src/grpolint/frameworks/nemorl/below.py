"""The arguments of the vLLM engine that NeMo-RL starts: its sections `vllm_cfg` and `vllm_kwargs`, and what its workers fix."""

from __future__ import annotations

from grpolint.catalog import table
from grpolint.frameworks.asking import option
from grpolint.frameworks.releases import assume_required
from grpolint.run import Run, Setting, Settings
from grpolint.values import Known, Origin, Unknown, Value, combine, plain
from grpolint.world import World

__all__ = ["put_engine"]

_SECTION = "policy.generation"
_OWN = {
    "model": "policy.model_name",
    "tensor_parallel_size": f"{_SECTION}.vllm_cfg.tensor_parallel_size",
    "pipeline_parallel_size": f"{_SECTION}.vllm_cfg.pipeline_parallel_size",
    "gpu_memory_utilization": f"{_SECTION}.vllm_cfg.gpu_memory_utilization",
    "max_model_len": f"{_SECTION}.vllm_cfg.max_model_len",
    "enforce_eager": f"{_SECTION}.vllm_cfg.enforce_eager",
    "load_format": f"{_SECTION}.vllm_cfg.load_format",
    "kv_cache_dtype": f"{_SECTION}.vllm_cfg.kv_cache_dtype",
}
_FIXED = {"enable_sleep_mode": True, "trust_remote_code": True, "logprobs_mode": "processed_logprobs"}


_REQUIRED = {
    "0.1.0": {"vllm": "==0.8.0"},
    "0.2.0": {"vllm": "==0.8.4"},
    "0.3.0": {"vllm": "==0.9.0"},
    "0.4.0": {"vllm": "==0.10.0"},
    "0.5.0": {"vllm": "==0.11.2"},
    "0.6.0": {"vllm": "==0.17.1"},
    "0.7.0": {"vllm": "==0.20.0"},
}
"""The vLLM that each release pins."""


def put_engine(run: Run, world: World) -> None:
    """Add the settings of vLLM, as defaults with the origins that they have in NeMo-RL; nothing for other engines."""
    if plain(option("nemo-rl", f"{_SECTION}.backend")(run)) != "vllm":
        return
    assume_required(world, "nemo-rl", run.settings["nemo-rl"].version, _REQUIRED)
    version = world.version("vllm")
    options = table("vllm", "engine", version.text)
    settings = run.settings["nemo-rl"]

    def default(key: str) -> Value | None:
        given = settings.value(f"{_SECTION}.vllm_kwargs.{key}")
        if given is not None and not (isinstance(given, Unknown) and settings.open_reason is not None):
            return given
        if key == "dtype":
            precision = settings.value(f"{_SECTION}.vllm_cfg.precision")
            return combine(lambda name: "bfloat16" if name == "fp8" else name, precision)
        if key == "enable_expert_parallel":
            size = settings.value(f"{_SECTION}.vllm_cfg.expert_parallel_size")
            return combine(lambda experts: int(experts) > 1, size)
        if key in _FIXED:
            return Known(_FIXED[key], (Origin("built-in", None, "NeMo-RL's vLLM worker"),))
        own = settings.value(_OWN[key]) if key in _OWN else None
        if own is not None:
            return own
        return options.default(key) if options is not None else None

    made = run.settings["vllm"] = Settings("vllm", version, default, tables=(options,) if options is not None else ())
    changed = next(settings.under("policy.hf_config_overrides"), None)
    if changed is not None:
        made.put(Setting("vllm", "hf_overrides", changed.value, changed.span, changed.form))
