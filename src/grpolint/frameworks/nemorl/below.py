"""The arguments of the vLLM engine that NeMo-RL starts: its sections `vllm_cfg` and `vllm_kwargs`, and what its workers fix."""

from __future__ import annotations

from grpolint.catalog import newest, table
from grpolint.frameworks.asking import option
from grpolint.run import Run, Setting, Settings, Version
from grpolint.values import Default, Known, Origin, Unknown, Value, combine, plain

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


def put_engine(run: Run) -> None:
    """Add the settings of vLLM, as defaults with the origins that they have in NeMo-RL; nothing for other engines.

    A release of vLLM is pinned by each release of NeMo-RL and stands in no file that is read: what vLLM itself defaults to
    is unknown.
    """
    if plain(option("nemo-rl", f"{_SECTION}.backend")(run)) != "vllm":
        return
    text = run.releases.get("vllm") or newest("vllm") or ""
    version = Version(
        text, assumed="vllm" not in run.releases, origin="--with" if "vllm" in run.releases else "newest known"
    )
    options = table("vllm", "engine", text)
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
        found = options.default(key) if options is not None else None
        return Unknown("version:vllm", found.origins) if isinstance(found, Default) and version.assumed else found

    made = run.settings["vllm"] = Settings("vllm", version, default, tables=(options,) if options is not None else ())
    changed = next(settings.under("policy.hf_config_overrides"), None)
    if changed is not None:
        made.put(Setting("vllm", "hf_overrides", changed.value, changed.span, changed.form))
