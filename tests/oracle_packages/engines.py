"""What the running DeepSpeed and Megatron-Core say of their options; imported when a comparison runs."""

from __future__ import annotations

import argparse
import enum
import importlib
import typing
from typing import Any

import typing_extensions
from tally import Tally, of_model

MODELS = {
    "zero_optimization": ("deepspeed.runtime.zero.config", "DeepSpeedZeroConfig"),
    "zero_optimization.offload_optimizer": (
        "deepspeed.runtime.zero.offload_config",
        "DeepSpeedZeroOffloadOptimizerConfig",
    ),
    "zero_optimization.offload_param": ("deepspeed.runtime.zero.offload_config", "DeepSpeedZeroOffloadParamConfig"),
    "zero_optimization.leaf_module": ("deepspeed.runtime.zero.leaf_module_config", "DeepSpeedZeroLeafModuleConfig"),
    "zero_optimization.zenflow": ("deepspeed.runtime.zenflow.zenflow_config", "ZenFlowConfig"),
    "fp16": ("deepspeed.runtime.precision_config", "DeepSpeedFP16Config"),
    "bf16": ("deepspeed.runtime.precision_config", "DeepSpeedBF16Config"),
    "bfloat16": ("deepspeed.runtime.precision_config", "DeepSpeedBF16Config"),
    "tensor_parallel": ("deepspeed.runtime.tensor_parallel.config", "TPTrainingConfig"),
    "tensor_parallel.tensor_parallel": ("deepspeed.runtime.tensor_parallel.config", "TPConfig"),
    "comms_logger": ("deepspeed.comm.config", "CommsLoggerConfig"),
    "compile": ("deepspeed.compile.config", "CompileConfig"),
    "hybrid_engine": ("deepspeed.runtime.config", "HybridEngineConfig"),
    "tensorboard": ("deepspeed.monitor.config", "TensorBoardConfig"),
    "wandb": ("deepspeed.monitor.config", "WandbConfig"),
    "csv_monitor": ("deepspeed.monitor.config", "CSVConfig"),
    "comet": ("deepspeed.monitor.config", "CometConfig"),
    "timers.throughput": ("deepspeed.utils.config", "DeepSpeedThroughputTimerConfig"),
    "weight_quantization": ("deepspeed.inference.config", "WeightQuantConfig"),
}
"""Sections that pydantic models read."""

ATTRIBUTES = {
    "activation_checkpointing": "activation_checkpointing_config",
    "aio": "aio_config",
    "autotuning": "autotuning_config",
    "expert_parallel": "expert_parallel_config",
    "flops_profiler": "flops_profiler_config",
    "pipeline": "pipeline",
}
"""Sections that getters read, by the attribute of the whole configuration that holds what they read."""

PLACES = {
    "checkpoint.load_universal": "load_universal_checkpoint",
    "checkpoint.use_node_local_storage": "use_node_local_storage",
    "checkpoint.parallel_write.pipeline_stage": "checkpoint_parallel_write_pipeline",
    "data_types.buffer_dtype": "buffer_dtype",
    "data_types.grad_accum_dtype": "grad_accum_dtype",
    "data_types.keep_in_fp32_modules": "keep_in_fp32_modules",
    "data_types.param_dtype": "param_dtype",
    "optimizer.legacy_fusion": "optimizer_legacy_fusion",
    "optimizer.params": "optimizer_params",
    "optimizer.type": "optimizer_name",
    "scheduler.params": "scheduler_params",
    "scheduler.type": "scheduler_name",
    "torch_autocast.dtype": "torch_autocast_dtype",
    "torch_autocast.enabled": "torch_autocast_enabled",
    "torch_autocast.lower_precision_safe_modules": "torch_autocast_lower_precision_safe_modules",
    "use_data_before_expert_parallelism": "use_data_before_expert_parallel_",
}
"""Single keys by the attribute that holds what was read."""

RENAMED = {"model_info": "model_info_path"}
"""Attributes within sections with another name than their key."""

NOT_READ_ALONE = {
    "sequence_parallel_size": "used in passing where ranks are counted; its absence is not a value",
    "vocabulary_size": "used in passing for a warning; kept nowhere",
    "train_micro_batch_size_per_gpu": "worked out from the others",
    "gradient_accumulation_steps": "worked out from the others",
    "train_batch_size": "worked out from the others",
    "optimizer": "a section without keys of its own to compare; absent is null",
    "scheduler": "a section without keys of its own to compare; absent is null",
    "torch_autocast": "a section without keys of its own to compare; absent is null",
}
"""Keys of DeepSpeed that no attribute answers for, with the reason."""

CHOICES_OF_THE_MACHINE = {"exit_signal"}
"""Arguments of Megatron that choose among what the operating system has."""


def deepspeed() -> Tally:
    """The pydantic sections, and what the whole configuration makes of an almost empty file."""
    tally = Tally("deepspeed", "config")
    sections = Tally("deepspeed", "section").table
    for section, (module, kind) in MODELS.items():
        model = getattr(importlib.import_module(module), kind)
        inner = {name for name in model.model_fields if _is_section(tally, f"{section}.{name}")}
        tally.fields(
            {name: value for name, value in of_model(model).items() if name not in inner},
            prefix=f"{section}.",
            inner=inner,
        )
        tally.spelling(
            f"unknown keys of {section}",
            sections.option(section).record["extra"],
            model.model_config.get("extra", "ignore"),
        )
    torch = importlib.import_module("torch")
    config = importlib.import_module("deepspeed.runtime.config").DeepSpeedConfig({"train_batch_size": 1})
    for section, attribute in ATTRIBUTES.items():
        held = getattr(config, attribute)
        read = {
            RENAMED.get(name, name): value for name, value in (held if isinstance(held, dict) else vars(held)).items()
        }
        tally.keys(
            {
                key.removeprefix(f"{section}."): read[key.removeprefix(f"{section}.")]
                for key in tally.table
                if key.startswith(f"{section}.")
            },
            f"{section}.",
        )
    checkpoint = importlib.import_module("deepspeed.runtime.model_checkpointing.config").get_checkpoint_config(
        {"checkpoint": {"writer": {}}}
    )
    tally.keys(checkpoint.pop("writer"), "checkpoint.writer.")
    tally.keys(
        {key: value.upper() if isinstance(value, str) else value for key, value in checkpoint.items()}, "checkpoint."
    )
    spelled = {torch.float32: "fp32"}
    for key in tally.left() - set(NOT_READ_ALONE):
        value = getattr(config, PLACES.get(key, key))
        tally.keys({key: spelled.get(value, value) if isinstance(value, torch.dtype) else value})
    return tally


def _is_section(tally: Tally, key: str) -> bool:
    option = tally.table.option(key)
    return option is not None and option.record.get("type") == "dict"


def megatron() -> Tally:
    """Every argument of Megatron-LM's own parser: default, spellings, choices, number of values.

    Its module is written for Python 3.12, of which it uses a marker of the typing module; older ones get that marker.
    """
    if not hasattr(typing, "override"):
        typing.override = typing_extensions.override
    parser = argparse.ArgumentParser(allow_abbrev=False, add_help=False)
    importlib.import_module("megatron.training.arguments").add_megatron_arguments(parser)
    tally = Tally("megatron", "train")
    places: dict[str, list[argparse.Action]] = {}
    for action in parser._actions:
        places.setdefault(action.dest, []).append(action)
    # Of several arguments with one destination the first one's default holds.
    tally.fields({name: _word(actions[0].default) for name, actions in places.items()})
    for name in tally.compared:
        actions, record = places[name], tally.table.option(name).record
        flags = sorted(flag for action in actions for flag in action.option_strings)
        tally.spelling(f"flags of {name}", sorted(record.get("flags", [])), flags)
        tally.spelling(f"nargs of {name}", record.get("nargs"), actions[0].nargs)
        if name not in CHOICES_OF_THE_MACHINE:
            choices = [_word(choice) for choice in actions[0].choices] if actions[0].choices else None
            tally.spelling(f"choices of {name}", record.get("choices"), choices)
    return tally


def _word(value: Any) -> Any:
    """An enumeration's member as the command line takes it: by name."""
    return value.name if isinstance(value, enum.Enum) else value
