"""accelerate: the launcher's flags, the configuration file's keys, and the plugins' fields."""

from __future__ import annotations

import ast

from harvest.astread import Unfoldable, class_records, find_class, fold, parser_records, text
from harvest.records import Record, Tables
from harvest.tree import Tree

PACKAGE = "accelerate"
LICENCE = "Apache-2.0"
INCLUDE = ("accelerate/*.py",)

_LAUNCH = "accelerate/commands/launch.py"
_ARGUMENTS = "accelerate/commands/config/config_args.py"
_QUESTIONS = "accelerate/commands/config/cluster.py"
_CLASSES = {
    "fsdp_plugin": ("accelerate/utils/dataclasses.py", "FullyShardedDataParallelPlugin"),
    "deepspeed_plugin": ("accelerate/utils/dataclasses.py", "DeepSpeedPlugin"),
    "parallelism_config": ("accelerate/parallelism_config.py", "ParallelismConfig"),
}
_SECTIONS = (
    "fsdp_config",
    "deepspeed_config",
    "parallelism_config",
    "fp8_config",
    "dynamo_config",
    "megatron_lm_config",
    "mpirun_config",
)


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """`launch` by destination; `config` by dotted key of the YAML file; the plugins by field."""
    launch = parser_records(tree, _LAUNCH, "launch_command_parser")
    launch.pop("help", None)
    found: Tables = {"launch": launch}
    cluster = find_class(tree, _ARGUMENTS, "ClusterConfig")
    if cluster is not None:
        found["config"] = {**class_records(tree, cluster), **_nested(tree, launch)}
        _filled_in(tree, found["config"])
    for table, (path, name) in _CLASSES.items():
        plugin = find_class(tree, path, name)
        if plugin is not None:
            found[table] = class_records(tree, plugin)
    return found


def _filled_in(tree: Tree, config: dict[str, Record]) -> None:
    """Keys that the reader of a file fills in where they are absent, though the class has no default for them."""
    base = find_class(tree, _ARGUMENTS, "BaseConfig")
    for node in ast.walk(base.node) if base is not None else ():
        if not (
            isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.NotIn)
        ):
            continue
        for inner in node.body:
            if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Subscript):
                assert base is not None
                record = config[fold(tree, base.module, inner.targets[0].slice)]
                record.pop("required", None)
                try:
                    record["default"] = fold(tree, base.module, inner.value, {"config_dict": {}})
                except Unfoldable:
                    record["computed"] = text(inner.value)


def _nested(tree: Tree, launch: dict[str, Record]) -> dict[str, Record]:
    """Keys within the file's sections. They are launch options under the same name, so their records are those.

    The questionnaire writes them all; a few launch options of a section that it never asks about are taken by prefix.
    """
    keys: dict[str, Record] = {}
    module = tree.module(_QUESTIONS)
    for node in ast.walk(module.tree) if module is not None else ():
        if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in _SECTIONS):
            continue
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            keys[f"{node.value.id}.{node.slice.value}"] = _of(launch, node.slice.value)
    for destination in launch:
        for section in ("fsdp", "parallelism_config", "megatron_lm", "dynamo"):
            if destination.startswith(f"{section}_"):
                keys[f"{section.removesuffix('_config')}_config.{destination}"] = _of(launch, destination)
    return keys


def _of(launch: dict[str, Record], name: str) -> Record:
    if name not in launch:
        return {"default": None, "nullable": True, "source": _QUESTIONS}
    return {key: value for key, value in launch[name].items() if key not in ("flags", "nargs")}
