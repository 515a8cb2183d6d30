"""What the running transformers, TRL, PEFT and accelerate say of their options; imported when a comparison runs."""

from __future__ import annotations

import argparse
import dataclasses
import functools
import importlib
import pkgutil
import tempfile
from pathlib import Path
from typing import Any

import yaml
from tally import ABSENT, Tally, at, of_dataclass

CPU = {"output_dir": "out", "use_cpu": True, "bf16": False}
"""Arguments without which no training class can be made where there is no GPU."""

ON_CPU = {"report_to", "dataloader_pin_memory", "debug"}
"""What TrainingArguments replaces: no tracker is installed, nothing to pin memory for, an empty text becomes a list."""

NEEDED = {"ServerDistillationConfig": {"teacher_model_server_url": "http://localhost:8000"}}
"""What classes want besides."""

DERIVED = {"OnlineDPOConfig": {"beta"}}  # a list of one becomes its number
"""Further defaults that classes replace."""

ONLY_ASKED = {
    f"fp8_config.{key}"
    for key in (
        "amax_compute_algorithm",
        "amax_history_length",
        "backend",
        "enable_fsdp_float8_all_gather",
        "interval",
        "margin",
        "optimization_level",
        "override_linear_precision",
        "pad_inner_dim",
        "use_autocast_during_eval",
    )
}
"""Keys of the configuration file that the questionnaire alone writes: neither a class nor the launcher has a default."""

TRL_CLASSES = {"dataset_mixture": "DatasetMixtureConfig", "model_config": "ModelConfig"}
"""Class by table where the names differ and the name is found once."""


def training_arguments() -> Tally:
    """TrainingArguments."""
    tally = Tally("transformers", "TrainingArguments")
    kind = importlib.import_module("transformers").TrainingArguments
    tally.fields(of_dataclass(kind))
    tally.instance(kind(**CPU), CPU, ON_CPU)
    return tally


def accelerator_config() -> Tally:
    """The dict of TrainingArguments that has a class."""
    tally = Tally("transformers", "accelerator_config")
    kind = importlib.import_module("transformers.trainer_pt_utils").AcceleratorConfig
    tally.fields(of_dataclass(kind))
    tally.instance(kind(), {}, set())
    return tally


@functools.cache
def trl_classes() -> dict[str, type]:
    """TRL's configuration dataclasses by name, the stable one before an experimental one."""
    found: dict[str, type] = {}
    for base in ("trl.trainer", "trl.experimental", "trl.scripts"):
        package = importlib.import_module(base)
        for entry in pkgutil.walk_packages(package.__path__, f"{base}."):
            if entry.name.endswith("_config") or base == "trl.scripts":
                module = importlib.import_module(entry.name)
                for name, kind in vars(module).items():
                    if dataclasses.is_dataclass(kind) and kind.__module__ == module.__name__:
                        found.setdefault(name, kind)
    return found


def trl(name: str) -> Tally:
    """One of TRL's classes; those of trainers stand over TrainingArguments."""
    tally = Tally("trl", name)
    if name == "vllm_serve":
        kind = importlib.import_module("trl.scripts.vllm_serve").ScriptArguments
    elif name == "script_arguments":
        kind = importlib.import_module("trl").ScriptArguments
    else:
        kind = trl_classes()[TRL_CLASSES.get(name, name)]
    trains = issubclass(kind, importlib.import_module("transformers").TrainingArguments)
    inherited = at("transformers", "TrainingArguments") if trains else None
    real = of_dataclass(kind)
    tally.fields(real, inherited)
    given = {**(CPU if trains else {}), **NEEDED.get(name, {})}
    given.update({key: "x" for key, default in real.items() if default is ABSENT})
    tally.instance(kind(**given), given, (ON_CPU if trains else set()) | DERIVED.get(name, set()), inherited)
    return tally


def lora() -> Tally:
    """LoraConfig."""
    tally = Tally("peft", "lora")
    kind = importlib.import_module("peft").LoraConfig
    tally.fields(of_dataclass(kind))
    tally.instance(kind(), {}, set())
    return tally


def accelerate_plugin(name: str) -> Tally:
    """A plugin, whose fields are null for: what the environment says."""
    kinds = {
        "fsdp_plugin": "FullyShardedDataParallelPlugin",
        "deepspeed_plugin": "DeepSpeedPlugin",
        "parallelism_config": "ParallelismConfig",
    }
    tally = Tally("accelerate", name)
    tally.fields(of_dataclass(getattr(importlib.import_module("accelerate.utils"), kinds[name])))
    return tally


def launch_defaults(parser: argparse.ArgumentParser) -> dict[str, Any]:
    """Defaults by destination of accelerate's parser."""
    real: dict[str, Any] = {}
    for action in parser._actions:
        needed = action.required or not (action.option_strings or action.nargs in ("?", "..."))
        # Its parser class turns the switches that have no default of their own to None; unset they count as false.
        # Of two arguments with one destination the first one's default holds.
        unset = False if action.nargs == 0 and action.default is None else action.default
        real.setdefault(action.dest, ABSENT if needed else unset)
    del real["help"]
    return real


def accelerate_launch() -> Tally:
    """The launcher's arguments: defaults, spellings, choices."""
    parser = importlib.import_module("accelerate.commands.launch").launch_command_parser()
    tally = Tally("accelerate", "launch")
    tally.fields(launch_defaults(parser))
    for name in tally.compared:
        actions = [action for action in parser._actions if action.dest == name]
        record = tally.table.option(name).record
        # Every underscore may be written as a hyphen, which the parser adds as a second spelling.
        real = {flag.replace("_", "-") for action in actions for flag in action.option_strings}
        tally.spelling(f"flags of {name}", {flag.replace("_", "-") for flag in record.get("flags", [])}, real)
        choices = [list(action.choices) for action in actions if action.choices]
        tally.spelling(f"choices of {name}", record.get("choices"), choices[0] if choices else None)
    return tally


def accelerate_file() -> Tally:
    """The configuration file: what its reader makes of an almost empty one, and the launcher's defaults in sections."""
    tally = Tally("accelerate", "config")
    reader = importlib.import_module("accelerate.commands.config.config_args")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "config.yaml"
        path.write_text(yaml.safe_dump({"distributed_type": "MULTI_GPU", "num_processes": 3}), encoding="utf-8")
        read = reader.load_config_from_file(str(path))
    sections = {key for key in tally.table if tally.table.option(key).record.get("type") == "dict"}
    fields = {field.name for field in dataclasses.fields(reader.ClusterConfig)}
    real: dict[str, Any] = {name: getattr(read, name) for name in fields - sections}
    real.update(distributed_type=ABSENT, num_processes=of_dataclass(reader.ClusterConfig)["num_processes"])
    tally.keys(real)
    launch = launch_defaults(importlib.import_module("accelerate.commands.launch").launch_command_parser())
    nested = {key: key.rpartition(".")[2] for key in tally.table if "." in key}
    tally.keys({key: launch[name] for key, name in nested.items() if name in launch})
    return tally
