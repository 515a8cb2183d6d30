"""Compares the catalog with the running packages: `python tests/oracle_packages/compare.py`, no part of `make test`.

Run it with an interpreter that has grpolint, torch and any of transformers, trl, accelerate, peft and deepspeed; the
releases that are installed are compared. Exit status 1 if a key or a default differs.
"""

from __future__ import annotations

import argparse
import dataclasses
import enum
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from grpolint.catalog import table, versions
from grpolint.catalog.loader import Table

ABSENT = object()
"""A field without default."""


def plain(value: Any) -> Any:
    """A default as JSON has it."""
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(item) for item in value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def of_dataclass(kind: type) -> dict[str, Any]:
    """Defaults by field of a dataclass."""
    found = {}
    for field in dataclasses.fields(kind):
        if not field.init or field.name.startswith("_"):
            continue
        if field.default is not dataclasses.MISSING:
            found[field.name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory()
        else:
            found[field.name] = ABSENT
    return found


def of_model(kind: Any, prefix: str = "") -> dict[str, Any]:
    """Defaults by dotted field of a pydantic model and the models in it."""
    found = {}
    for name, field in kind.model_fields.items():
        found[prefix + name] = ABSENT if field.is_required() else field.get_default(call_default_factory=True)
    return found


class Tally:
    """Counts of one table's comparison."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.equal = 0
        self.symbolic: list[str] = []
        self.differences: list[str] = []

    def compare(self, found: Table, real: dict[str, Any], inherited: Table | None = None, prefix: str = "") -> None:
        """`real` against the table; a field that the table lacks may be one that `inherited` has."""
        for key, value in real.items():
            option = found.option(prefix + key) or (inherited.option(key) if inherited else None)
            if option is None:
                self.differences.append(f"{key}: not in the catalog")
            elif "computed" in option.record:
                self.symbolic.append(key)
            elif "default" not in option.record:
                self._put(key, ABSENT, value)
            else:
                self._put(key, option.record["default"], value)
        kept = (key for key in found if key.startswith(prefix) and "removed" not in found.option(key).record)
        known = {key.removeprefix(prefix) for key in kept}
        extra = {key for key in known if key.split(".")[0] not in {name.split(".")[0] for name in real}}
        self.differences.extend(f"{key}: only in the catalog" for key in sorted(extra))

    def _put(self, key: str, ours: Any, theirs: Any) -> None:
        if ours is theirs or (ours is not ABSENT and theirs is not ABSENT and ours == plain(theirs)):
            self.equal += 1
        else:
            self.differences.append(f"{key}: catalog {ours!r}, package {theirs!r}")

    def report(self) -> None:
        """Prints the counts and every difference."""
        symbolic = f", {len(self.symbolic)} computed ({', '.join(self.symbolic)})" if self.symbolic else ""
        print(f"{self.title}: {self.equal} equal, {len(self.differences)} different{symbolic}")
        for line in self.differences:
            print(f"  {line}")


def at(framework: str, name: str) -> Table:
    """The table of the release that is installed. Raises LookupError where the catalog lacks it."""
    installed = version(framework)
    found = table(framework, name, installed)
    if found is None or installed not in versions(framework):
        raise LookupError(f"the catalog has no {framework} {installed}: {name}")
    return found


def transformers() -> Iterator[Tally]:
    """TrainingArguments and AcceleratorConfig."""
    module = importlib.import_module("transformers")
    tally = Tally("transformers TrainingArguments")
    tally.compare(at("transformers", "TrainingArguments"), of_dataclass(module.TrainingArguments))
    yield tally
    tally = Tally("transformers accelerator_config")
    kind = importlib.import_module("transformers.trainer_pt_utils").AcceleratorConfig
    tally.compare(at("transformers", "accelerator_config"), of_dataclass(kind))
    yield tally


def trl() -> Iterator[Tally]:
    """The stable configuration classes, over TrainingArguments."""
    module = importlib.import_module("trl")
    for name in ("GRPOConfig", "SFTConfig", "DPOConfig", "RLOOConfig", "RewardConfig"):
        tally = Tally(f"trl {name}")
        tally.compare(at("trl", name), of_dataclass(getattr(module, name)), at("transformers", "TrainingArguments"))
        yield tally
    for name, kind in (("model_config", "ModelConfig"), ("script_arguments", "ScriptArguments")):
        tally = Tally(f"trl {kind}")
        tally.compare(at("trl", name), of_dataclass(getattr(module, kind)))
        yield tally


def peft() -> Iterator[Tally]:
    """LoraConfig."""
    tally = Tally("peft LoraConfig")
    tally.compare(at("peft", "lora"), of_dataclass(importlib.import_module("peft").LoraConfig))
    yield tally


def accelerate() -> Iterator[Tally]:
    """The launcher and the plugins."""
    utils = importlib.import_module("accelerate.utils")
    for name, kind in (("fsdp_plugin", "FullyShardedDataParallelPlugin"), ("deepspeed_plugin", "DeepSpeedPlugin")):
        tally = Tally(f"accelerate {kind}")
        tally.compare(at("accelerate", name), of_dataclass(getattr(utils, kind)))
        yield tally
    parser: argparse.ArgumentParser = importlib.import_module("accelerate.commands.launch").launch_command_parser()
    tally = Tally("accelerate launch")
    found = at("accelerate", "launch")
    real: dict[str, Any] = {}
    flags: dict[str, set[str]] = {}
    for action in parser._actions:
        if action.dest == "help":
            continue
        # Every underscore may be written as a hyphen, which the parser adds as a second spelling.
        flags.setdefault(action.dest, set()).update(flag.replace("_", "-") for flag in action.option_strings)
        needed = action.required or not (action.option_strings or action.nargs in ("?", "..."))
        # Its parser class turns the switches that have no default of their own to None; unset they count as false.
        # Of two arguments with one destination the first one's default holds.
        unset = False if action.nargs == 0 and action.default is None else action.default
        real.setdefault(action.dest, ABSENT if needed else unset)
    tally.compare(found, real)
    for name, spelled in flags.items():
        option = found.option(name)
        ours = {flag.replace("_", "-") for flag in option.record.get("flags", [])} if option else set()
        if ours != spelled:
            tally.differences.append(f"{name}: flags {sorted(ours)}, package {sorted(spelled)}")
    yield tally


def deepspeed() -> Iterator[Tally]:
    """The pydantic sections and what the whole configuration makes of an almost empty file."""
    sections = {
        "zero_optimization": ("deepspeed.runtime.zero.config", "DeepSpeedZeroConfig"),
        "zero_optimization.offload_optimizer": (
            "deepspeed.runtime.zero.offload_config",
            "DeepSpeedZeroOffloadOptimizerConfig",
        ),
        "zero_optimization.offload_param": ("deepspeed.runtime.zero.offload_config", "DeepSpeedZeroOffloadParamConfig"),
        "fp16": ("deepspeed.runtime.precision_config", "DeepSpeedFP16Config"),
        "bf16": ("deepspeed.runtime.precision_config", "DeepSpeedBF16Config"),
        "tensor_parallel": ("deepspeed.runtime.tensor_parallel.config", "TPTrainingConfig"),
        "comms_logger": ("deepspeed.comm.config", "CommsLoggerConfig"),
        "compile": ("deepspeed.compile.config", "CompileConfig"),
    }
    found = at("deepspeed", "config")
    for section, (module, kind) in sections.items():
        tally = Tally(f"deepspeed {section}")
        model = getattr(importlib.import_module(module), kind)
        real = of_model(model)
        nested = {
            name
            for name in real
            if f"{section}.{name}" in found and found.option(f"{section}.{name}").record.get("type") == "dict"
        }
        tally.compare(found, {name: value for name, value in real.items() if name not in nested}, prefix=f"{section}.")
        tally.differences = [line for line in tally.differences if line.split(":")[0].split(".")[0] not in nested]
        extra = model.model_config.get("extra", "ignore")
        ours = table("deepspeed", "section", found.version).option(section).record["extra"]
        if ours != extra:
            tally.differences.append(f"unknown keys: catalog {ours}, package {extra}")
        yield tally
    tally = Tally("deepspeed top level")
    config = importlib.import_module("deepspeed.runtime.config").DeepSpeedConfig({"train_batch_size": 1})
    for key in found:
        value = getattr(config, key, ABSENT)
        default = found.option(key).record.get("default", ABSENT)
        if (
            "." not in key
            and value is not ABSENT
            and default is not ABSENT
            and isinstance(plain(value), (int, float, str, type(None)))
        ):
            tally._put(key, default, value)
    yield tally


def main() -> int:
    """Compares what is installed."""
    os.environ.setdefault("ACCELERATE_USE_CPU", "1")
    wrong = 0
    compared: dict[str, Callable[[], Iterator[Tally]]] = {
        "transformers": transformers,
        "trl": trl,
        "peft": peft,
        "accelerate": accelerate,
        "deepspeed": deepspeed,
    }
    for name, compare in compared.items():
        try:
            installed = version(name)
        except PackageNotFoundError:
            print(f"{name}: not installed")
            continue
        print(f"{name} {installed}")
        for tally in compare():
            tally.report()
            wrong += len(tally.differences)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
