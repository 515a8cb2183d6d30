"""The DeepSpeed and FSDP configurations that ms-swift ships under a name (`--deepspeed zero3`).

They are the same in every release from 3.0 on; FSDP's came with 3.12.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.frameworks.deepspeed.compose import deepspeed_settings, fill_auto
from grpolint.frameworks.swift.processes import world_size
from grpolint.run import Run, Setting
from grpolint.values import Known, Origin, Unknown, Value, plain
from grpolint.world import World

__all__ = ["DEEPSPEED", "FSDP2", "put_arguments_over", "put_preset"]

_AUTO = "auto"
_COMMON: Mapping[str, Any] = {
    "fp16.enabled": _AUTO,
    "fp16.loss_scale": 0,
    "fp16.loss_scale_window": 1000,
    "fp16.initial_scale_power": 16,
    "fp16.hysteresis": 2,
    "fp16.min_loss_scale": 1,
    "bf16.enabled": _AUTO,
    "zero_optimization.overlap_comm": False,
    "zero_optimization.contiguous_gradients": True,
    "gradient_accumulation_steps": _AUTO,
    "gradient_clipping": _AUTO,
    "steps_per_print": 2000,
    "train_batch_size": _AUTO,
    "train_micro_batch_size_per_gpu": _AUTO,
    "wall_clock_breakdown": False,
}
_UNSHARDED: Mapping[str, Any] = {
    "zero_optimization.allgather_partitions": True,
    "zero_optimization.allgather_bucket_size": 200_000_000,
    "zero_optimization.reduce_scatter": True,
    "zero_optimization.reduce_bucket_size": 200_000_000,
}
_SHARDED: Mapping[str, Any] = {
    "zero_optimization.sub_group_size": 1_000_000_000,
    "zero_optimization.reduce_bucket_size": _AUTO,
    "zero_optimization.stage3_prefetch_bucket_size": _AUTO,
    "zero_optimization.stage3_param_persistence_threshold": _AUTO,
    "zero_optimization.stage3_max_live_parameters": 1_000_000_000,
    "zero_optimization.stage3_max_reuse_distance": 1_000_000_000,
    "zero_optimization.stage3_gather_16bit_weights_on_model_save": True,
}


def _preset(stage: int, device: str | None) -> Mapping[str, Any]:
    made = {**_COMMON, **(_SHARDED if stage == 3 else _UNSHARDED), "zero_optimization.stage": stage}
    for section in (("offload_optimizer", "offload_param") if stage == 3 else ("offload_optimizer",)) if device else ():
        made[f"zero_optimization.{section}.device"] = device
        made[f"zero_optimization.{section}.pin_memory"] = True
    return made


DEEPSPEED: Mapping[str, Mapping[str, Any]] = {
    "zero0": _preset(0, None),
    "zero1": _preset(1, "none"),
    "zero2": _preset(2, "none"),
    "zero2_offload": _preset(2, "cpu"),
    "zero3": _preset(3, "none"),
    "zero3_offload": _preset(3, "cpu"),
}
"""DeepSpeed's options by the name of the preset; `auto` is what Transformers puts there."""

_OVER = {
    "zero_hpz_partition_size": "zero_optimization.zero_hpz_partition_size",
    "deepspeed_autotp_size": "tensor_parallel.autotp_size",
}

FSDP2: Mapping[str, Any] = {
    "fsdp_version": 2,
    "reshard_after_forward": True,
    "auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
    "cpu_ram_efficient_loading": True,
    "state_dict_type": "SHARDED_STATE_DICT",
    "activation_checkpointing": True,
}
"""`fsdp_config` of `--fsdp fsdp2`."""


def put_preset(run: Run, world: World) -> bool:
    """Put the DeepSpeed options of the preset that the run's option `deepspeed` names; False if it names none.

    They stand in no document of the user: the option that names the preset is where they come from.
    """
    named = run.value("transformers", "deepspeed")
    preset = DEEPSPEED.get(str(plain(named)))
    if named is None or preset is None:
        return False
    settings = deepspeed_settings(run, world)
    origins = (*named.origins, Origin("preset", None, f"ms-swift's {plain(named)}.json"))
    made = dict(preset)
    if plain(run.value("ms-swift", "rlhf_type")) == "grpo" and plain(named) in ("zero3", "zero3_offload"):
        made["zero_optimization.stage3_prefetch_bucket_size"] = 0
    for key, content in made.items():
        value: Value = Unknown("auto:" + key, origins) if content == _AUTO else Known(content, origins)
        settings.put(Setting("deepspeed", key, value, None, "preset"))
    fill_auto(run, world_size)
    return True


def put_arguments_over(run: Run) -> None:
    """Put what ms-swift's own arguments set in the configuration, preset or not."""
    settings = run.settings.get("deepspeed")
    for name, key in _OVER.items():
        given = run.setting("ms-swift", name)
        if settings is not None and given is not None:
            settings.put(Setting("deepspeed", key, given.value, None, "preset"))
