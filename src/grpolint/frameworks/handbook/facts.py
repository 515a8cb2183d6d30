"""Facts of a flat configuration. Only what a key says is a fact: there are no defaults behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grpolint.frameworks.asking import lower, option, positive, through, truth
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["FACTS"]

_TYPES = {"bfloat16": "bf16", "float16": "fp16", "half": "fp16", "float32": "fp32", "float": "fp32", "float64": "fp64"}
_SHAPED = ("shaped", "dense", "graded")
_PPO = ("gae", "ppo")
_GROUPS = ("grpo", "dapo", "gspo", "dr_grpo", "rloo", "gpg", "opo")


def _key(name: str) -> FactFunction:
    return option("handbook", name)


def _as(function: Callable[[Any], Any], name: str) -> FactFunction:
    return through(function, _key(name))


def _first(*functions: FactFunction) -> FactFunction:
    return lambda run: next((value for each in functions if (value := each(run)) is not None), None)


def _short(name: Any) -> str:
    return _TYPES.get(lower(name), lower(name))


def _optimizer(name: Any) -> str:
    """`cpu_adam` is Adam whose states the host holds."""
    text = lower(name).replace("-", "_").replace("deepspeed", "").strip("_")
    return text.removeprefix("cpu_").removeprefix("cpu").removesuffix("_cpu") or text


def _on_cpu(name: Any) -> bool:
    return "cpu" in lower(name)


def _offload(run: Run) -> Value | None:
    """As its own key says, else as the optimizer's name does: `cpu_adam` offloads, any other name does not."""

    def device(value: Any) -> str:
        return {"true": "cpu", "false": "none"}.get(lower(value), lower(value))

    given = _as(device, "offload_optimizer")(run)
    return given or _as(lambda name: "cpu" if _on_cpu(name) else "none", "optimizer")(run)


def _fsdp_version(run: Run) -> Value | None:
    """`fsdp` without a number is FSDP1, as in verl; `none` is no version."""

    def version(mode: Any) -> int | None:
        text = lower(mode)
        return None if text == "none" else 2 if text.endswith("2") else 1

    return _as(version, "fsdp_mode")(run)


def _engine(run: Run) -> Value | None:
    """What shards, where only one of the two keys names an engine."""
    zero, fsdp = _key("zero_stage")(run), _fsdp_version(run)
    if zero is not None and fsdp is not None:
        return Unknown("computed:zero_stage and fsdp_mode name two engines", (*zero.origins, *fsdp.origins))
    if zero is not None:
        return combine(lambda _: "deepspeed", zero)
    return combine(lambda number: "fsdp2" if number == 2 else "fsdp", fsdp)


def _half(name: str) -> FactFunction:
    return _first(_as(truth, name), _as(lambda dtype: _short(dtype) == name, "model_dtype"))


def _precision(run: Run) -> Value | None:
    given = _as(_short, "model_dtype")(run)
    if given is not None:
        return given
    on = [name for name in ("bf16", "fp16") if plain(_as(truth, name)(run))]
    return combine(lambda _: on[0], _key(on[0])(run)) if len(on) == 1 else None


def _reward(run: Run) -> Value | None:
    given = _as(lambda kind: "shaped" if lower(kind) in _SHAPED else "outcome", "reward_type")(run)
    return given or _as(lambda on: "shaped" if truth(on) else "outcome", "shaped_rewards")(run)


def _moe(run: Run) -> Value | None:
    return _as(truth, "moe")(run) or _as(positive, "num_experts")(run)


def _critic(run: Run) -> Value | None:
    """As its key says, else by the algorithm: PPO has a critic, the group-relative ones have none."""
    given = _as(truth, "use_critic")(run)
    if given is not None:
        return given
    name = run.fact("advantage")
    known = plain(name) in (*_PPO, *_GROUPS)
    return combine(lambda each: each in _PPO, name) if known else None


def _group_relative(run: Run) -> Value | None:
    value = _as(lower, "algorithm")(run)
    if not isinstance(value, Known) or value.value not in (*_PPO, *_GROUPS):
        return None
    return combine(lambda name: name in _GROUPS, value)


def _auxiliary(run: Run) -> Value | None:
    return _as(lower, "auxiliary_loss")(run) or _as(lambda on: "echo" if truth(on) else "none", "echo_loss")(run)


def _sync(word: Any) -> str:
    return "merged" if lower(word) in ("merged", "full") else "adapter"


def _replay(word: Any) -> str:
    text = str(word).upper()
    return text if text in ("R2", "R3") else "R2" if text == "TRUE" else "off"


FACTS: Mapping[str, FactFunction] = {
    "world_size": _key("world_size"),
    "dp": lambda run: _key("dp")(run) or run.fact("world_size"),
    "gpu": _key("gpu"),
    "advantage": _as(lower, "algorithm"),
    "group_relative": _group_relative,
    "group_size": _key("group_size"),
    "uses_critic": _critic,
    "group_by_prompt": _as(truth, "group_by_prompt"),
    "bypass_mode": _as(truth, "bypass_mode"),
    "dynamic_sampling": _as(truth, "dynamic_sampling"),
    "reward_shape": _reward,
    "auxiliary_loss": _auxiliary,
    "optimizer": _as(_optimizer, "optimizer"),
    "offload_optimizer": _offload,
    "learning_rate": _key("learning_rate"),
    "clip_norm": _key("gradient_clipping"),
    "bf16": _half("bf16"),
    "fp16": _half("fp16"),
    "precision": _precision,
    "torch_compile": _as(truth, "torch_compile"),
    "engine": _engine,
    "zero_stage": _key("zero_stage"),
    "fsdp_version": _fsdp_version,
    "overlap_comm": _as(truth, "overlap_comm"),
    "rollout_engine": _as(lower, "rollout_engine"),
    "enforce_eager": _as(truth, "enforce_eager"),
    "sleep_level": _key("sleep_level"),
    "weight_sync": _as(lower, "checkpoint_mode"),
    "lora": _as(positive, "lora_rank"),
    "lora_rank": _key("lora_rank"),
    "lora_alpha": _key("lora_alpha"),
    "lora_sync": _as(_sync, "lora_sync"),
    "model": _key("model"),
    "moe": _moe,
    "experts": _key("num_experts"),
    "router_dtype": _as(_short, "gating_dtype"),
    "router_replay": _as(_replay, "router_replay"),
    "sparse_attention": _as(truth, "sparse_attention"),
    "indexer_replay": _as(truth, "indexer_replay"),
    "multimodal": _as(truth, "multimodal"),
    "open_files": _key("nofile"),
}
