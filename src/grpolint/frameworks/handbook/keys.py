"""The keys of the flat configuration: the document's sixteen, and what people write beside or instead of them."""

from __future__ import annotations

from typing import Any

from grpolint.records import Record

__all__ = ["KEYS", "SIXTEEN", "TELLING", "Key", "find_key", "misfit"]


class Key(Record):
    """One key: its name, other names that are read as it, and the values it takes.

    `kind` is switch, whole, number or text. A text with `choices` takes only those; `least` and `most` bound numbers.
    """

    name: str
    kind: str
    others: tuple[str, ...] = ()
    choices: tuple[Any, ...] = ()
    least: float | None = None
    most: float | None = None


_TYPES = ("bf16", "bfloat16", "fp16", "float16", "half", "fp32", "float32", "float")

KEYS: tuple[Key, ...] = (
    Key("zero_stage", "whole", ("zero", "ds_zero_stage", "deepspeed_stage"), least=0, most=3),
    Key("optimizer", "text", ("optim", "optimizer_type")),
    Key(
        "gradient_clipping",
        "number",
        ("clip_grad", "grad_clip", "max_grad_norm", "gradient_clip", "clip_norm", "max_norm"),
        least=0,
    ),
    Key("overlap_comm", "switch"),
    Key("lora_rank", "whole", ("lora_r", "rank"), least=0),
    Key("fsdp_mode", "text", ("fsdp", "fsdp_version"), ("fsdp1", "fsdp2", "fsdp", "none", "1", "2")),
    Key("group_size", "whole", ("gs", "num_generations", "rollout_n", "n_samples_per_prompt", "group"), least=1),
    Key("bypass_mode", "switch", ("bypass",)),
    Key("enforce_eager", "switch", ("eager",)),
    Key("use_critic", "switch", ("critic", "uses_critic")),
    Key("ref_in_actor", "switch"),
    Key(
        "checkpoint_mode",
        "text",
        ("checkpoint_backend", "checkpoint_engine", "weight_sync"),
        ("naive", "nccl", "hccl", "nixl", "mooncake", "kimi_ckpt_engine", "delta_sharded"),
    ),
    Key("sleep_level", "whole", ("vllm_sleep_level",), least=0, most=2),
    Key("rollout_engine", "text", ("rollout", "rollout_name"), ("vllm", "sglang", "hf", "trtllm")),
    Key("model_dtype", "text", ("dtype", "torch_dtype", "precision"), _TYPES),
    Key("gating_dtype", "text", ("router_dtype", "moe_router_dtype", "gate_dtype"), (*_TYPES, "fp64", "float64")),
    Key("world_size", "whole", ("num_gpus", "n_gpus", "ngpus", "gpus", "gpu_count"), least=1),
    Key("dp", "whole", ("dp_size", "data_parallel_size", "data_parallel"), least=1),
    Key("gpu", "text", ("gpu_name", "gpu_type")),
    Key(
        "reward_type",
        "text",
        ("reward_shape", "reward", "rewards", "reward_mode"),
        ("shaped", "dense", "graded", "outcome", "sparse", "binary", "flat"),
    ),
    Key("shaped_rewards", "switch"),
    Key("nofile", "whole", ("ulimit", "ulimit_n", "ulimit_nofile", "open_files"), least=0),
    Key("num_experts", "whole", ("experts", "n_experts", "moe_experts", "n_routed_experts"), least=0),
    Key("moe", "switch", ("is_moe", "use_moe")),
    Key("lora_alpha", "number", ("alpha",), least=0),
    Key("lora_sync", "text", ("sync_mode", "param_sync"), ("adapter", "delta", "lora", "merged", "full")),
    Key("torch_compile", "switch", ("compile", "use_torch_compile")),
    Key("bf16", "switch", ("bfloat16",)),
    Key("fp16", "switch", ("float16",)),
    Key("offload_optimizer", "text", ("optimizer_offload", "cpu_offload"), ("cpu", "nvme", "none", True, False)),
    Key("algorithm", "text", ("adv_estimator", "advantage", "advantage_estimator", "algo")),
    Key("group_by_prompt", "switch"),
    Key("record_stream", "switch"),
    Key("router_replay", "text", (), ("r2", "r3", "off", "disabled", True, False)),
    Key("sparse_attention", "switch", ("dsa", "use_dsa")),
    Key("indexer_replay", "switch", ("dsa_indexer_replay", "dsa_replay")),
    Key("auxiliary_loss", "text", ("aux_loss",)),
    Key("echo_loss", "switch", ("echo",)),
    Key("multimodal", "switch", ("is_vlm", "vlm")),
    Key("dynamic_sampling", "switch", ("filter_groups",)),
    Key("model", "text", ("model_path", "model_name", "model_name_or_path")),
    Key("learning_rate", "number", ("lr",), least=0),
)

SIXTEEN = frozenset(key.name for key in KEYS[:16])
"""The keys of the document's own configuration."""

TELLING = frozenset(
    {
        "zero_stage",
        "fsdp_mode",
        "bypass_mode",
        "use_critic",
        "ref_in_actor",
        "checkpoint_mode",
        "sleep_level",
        "rollout_engine",
        "gating_dtype",
    }
)
"""Those of the sixteen that no other flat file is known to have under the same name."""

_BY_NAME = {name: key for key in KEYS for name in (key.name, *key.others)}


def find_key(written: str) -> Key | None:
    """The key that a written name stands for; letter case and dashes do not matter. None if there is none."""
    return _BY_NAME.get(written.lower().replace("-", "_"))


def misfit(key: Key, value: Any) -> str:
    """What the key has to be, where it does not take a value; an empty text where it does. Null is no value."""
    if value is None or (isinstance(value, bool) and key.kind == "switch"):
        return ""
    if key.kind == "switch":
        return "true or false"
    if key.kind == "text":
        return _misfit_text(key, value)
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    whole = number and value == value // 1
    within = number and (key.least is None or value >= key.least) and (key.most is None or value <= key.most)
    if within and (whole or key.kind == "number"):
        return ""
    what = "a whole number" if key.kind == "whole" else "a number"
    if key.least is not None and key.most is not None:
        return f"{what} from {key.least:g} to {key.most:g}"
    return f"{what} of at least {key.least:g}" if key.least is not None else what


def _misfit_text(key: Key, value: Any) -> str:
    if not key.choices:
        return "" if isinstance(value, str) else "a text"
    if value in key.choices or str(value).lower() in key.choices:
        return ""
    shown = [str(choice).lower() if isinstance(choice, bool) else choice for choice in key.choices]
    return "one of " + ", ".join(shown)
