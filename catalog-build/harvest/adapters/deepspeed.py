"""DeepSpeed: the JSON configuration, read by hand-written getters at the top and by pydantic models below."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from harvest.astread import ClassRef, Unfoldable, class_records, find_class, fold, lineage, text
from harvest.records import Record, Tables
from harvest.tree import Module, Tree

PACKAGE = "deepspeed"
LICENCE = "Apache-2.0"
INCLUDE = ("deepspeed/*.py",)

_MAIN = "deepspeed/runtime/config.py"
_ROOTS = ("param_dict", "self._param_dict", "config", "ds_config")

# Sections that getters read: the names under which their functions hold the section's dict.
_GETTERS = {
    "deepspeed/runtime/activation_checkpointing/config.py": {"act_chkpt_config_dict": "activation_checkpointing"},
    "deepspeed/profiling/config.py": {"flops_profiler_dict": "flops_profiler"},
    "deepspeed/autotuning/config.py": {"autotuning_dict": "autotuning"},
    "deepspeed/runtime/swap_tensor/aio_config.py": {"aio_dict": "aio"},
    "deepspeed/runtime/model_checkpointing/config.py": {
        "checkpoint_dict": "checkpoint",
        "writer_dict": "checkpoint.writer",
    },
    "deepspeed/module_inject/auto_ep_config.py": {"param_dict": "expert_parallel"},
    "deepspeed/nebula/config.py": {"nebula_dict": "nebula"},
    _MAIN: {
        "checkpoint_params": "checkpoint",
        "par_write_params": "checkpoint.parallel_write",
        "data_types_params": "data_types",
        "eigenvalue_params": "eigenvalue",
        "pld_params": "progressive_layer_drop",
    },
}

# Functions of the main file whose `param_dict` is a section's.
_INNER = {"get_sparse_attention_mode": "sparse_attention", "get_sparse_attention_type": "sparse_attention"}

# Sections that pydantic models read, the newer place first where there are two.
_MODELS = (
    ("zero_optimization", "deepspeed/runtime/zero/config.py", "DeepSpeedZeroConfig"),
    ("fp16", "deepspeed/runtime/precision_config.py", "DeepSpeedFP16Config"),
    ("bf16", "deepspeed/runtime/precision_config.py", "DeepSpeedBF16Config"),
    ("bfloat16", "deepspeed/runtime/precision_config.py", "DeepSpeedBF16Config"),
    ("hybrid_engine", _MAIN, "HybridEngineConfig"),
    ("comms_logger", "deepspeed/comm/config.py", "CommsLoggerConfig"),
    ("compile", "deepspeed/compile/config.py", "CompileConfig"),
    ("compile", "deepspeed/runtime/compiler.py", "CompileConfig"),
    ("tensorboard", "deepspeed/monitor/config.py", "TensorBoardConfig"),
    ("wandb", "deepspeed/monitor/config.py", "WandbConfig"),
    ("csv_monitor", "deepspeed/monitor/config.py", "CSVConfig"),
    ("comet", "deepspeed/monitor/config.py", "CometConfig"),
    ("timers.throughput", "deepspeed/utils/config.py", "DeepSpeedThroughputTimerConfig"),
    ("tensor_parallel", "deepspeed/runtime/tensor_parallel/config.py", "TPTrainingConfig"),
    ("weight_quantization", "deepspeed/inference/config.py", "WeightQuantConfig"),
)

# Sections whose own keys are not read here, by a file that stands for the feature.
_OPEN = {
    "data_efficiency": "deepspeed/runtime/data_pipeline/config.py",
    "compression_training": "deepspeed/compression/config.py",
    "elasticity": "deepspeed/elasticity/config.py",
    "sparse_attention": "deepspeed/ops/sparse_attention/sparse_self_attention.py",
    "curriculum_learning": "deepspeed/runtime/data_pipeline/curriculum_scheduler.py",
    "datastates_ckpt": "deepspeed/datastates/config.py",
}

# What validators make of a default of null.
_COMPUTED = {
    "zero_optimization.overlap_comm": "stage == 3",
    "train_batch_size": "train_micro_batch_size_per_gpu * gradient_accumulation_steps * data-parallel size",
    "train_micro_batch_size_per_gpu": "train_batch_size / (gradient_accumulation_steps * data-parallel size)",
    "gradient_accumulation_steps": "train_batch_size / (train_micro_batch_size_per_gpu * data-parallel size), or 1",
    "expert_parallel.expert_w3": "that of preset_model",  # a given null says something else
}


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """Table `config`: dotted keys of the JSON file; table `section`: what each section does with keys it does not know.

    The section of the top level has the empty name.
    """
    config: dict[str, Record] = {}
    sections: dict[str, Record] = {"": {"extra": "ignore", "source": _MAIN}}
    for path, prefixes in _GETTERS.items():
        module = tree.module(path)
        if module is not None:
            known = {**({} if path != _MAIN else dict.fromkeys(_ROOTS, "")), **prefixes}
            for key, record in _getters(tree, module, known):
                _add(config, key, record)
            for section in prefixes.values():
                if any(key.startswith(f"{section}.") for key in config):
                    sections.setdefault(section, {"extra": "ignore", "source": path})
    _pipeline(tree, config, sections)
    for section, path, name in _MODELS:
        found = find_class(tree, path, name)
        if found is not None and section not in sections:
            _model(tree, found, section, config, sections)
    for section, path in _OPEN.items():
        if path in tree:
            sections.setdefault(section, {"extra": "ignore", "source": path})
    for name, record in list(sections.items()):
        if "." in name:
            sections.setdefault(name.partition(".")[0], {"extra": "ignore", "source": record["source"]})
    for section in [name for name in sections if name]:
        config[section] = {"type": "dict", "nullable": True, "default": None, "source": sections[section]["source"]}
    for key, formula in _COMPUTED.items():
        if key in config and config[key].get("default", ...) is None:
            del config[key]["default"]
            config[key]["computed"] = formula
    for key in _removed(tree):
        sections.pop(key, None)
        for inner in [name for name in config if name.startswith(f"{key}.")]:
            del config[inner]
        config[key] = {"removed": True, "source": _MAIN}
    return {"config": config, "section": sections}


def _add(config: dict[str, Record], key: str, record: Record) -> None:
    """A reading with a default is worth more than a bare mention."""
    known = config.get(key)
    if known is None or (known.get("default") is None and "computed" not in known):
        config[key] = record


def _getters(tree: Tree, module: Module, prefixes: dict[str, str]) -> Iterator[tuple[str, Record]]:
    """Keys read by `get_scalar_param(d, KEY, DEFAULT)`, `d.get(KEY, DEFAULT)`, `d[KEY]` and `KEY in d`."""
    for function in ast.walk(module.tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        inner = _INNER.get(function.name)
        places = prefixes if inner is None else {**prefixes, "param_dict": inner}
        for env in _environments(tree, module, function):
            for node in ast.walk(function):
                for owner, key, default in _readings(node):
                    prefix = _prefix(tree, module, owner, places, env)
                    name = _text(tree, module, key, env)
                    if prefix is not None and name is not None:
                        yield f"{prefix}.{name}" if prefix else name, _record(tree, module, default, env)


def _environments(tree: Tree, module: Module, function: ast.FunctionDef) -> list[dict[str, Any]]:
    """Local names with a constant: arguments' defaults, and once for each round of a loop over constants."""
    base: dict[str, Any] = {}
    arguments = function.args.args
    for argument, value in zip(arguments[len(arguments) - len(function.args.defaults) :], function.args.defaults):
        try:
            base[argument.arg] = fold(tree, module, value)
        except Unfoldable:
            continue
    rounds = [base]
    for node in ast.walk(function):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            try:
                items = fold(tree, module, node.iter)
            except Unfoldable:
                continue
            rounds.extend({**base, node.target.id: item} for item in items)
    return rounds


def _readings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, ast.expr | None]]:
    """The dict, the key and the default that a node reads."""
    if isinstance(node, ast.Call):
        name = text(node.func).rsplit(".", 1)[-1]
        if (
            name in ("get_scalar_param", "get_dict_param", "get_list_param", "get_communication_data_type")
            and len(node.args) == 3
        ):
            yield node.args[0], node.args[1], node.args[2]
        elif name == "get" and isinstance(node.func, ast.Attribute) and node.args:
            yield node.func.value, node.args[0], node.args[1] if len(node.args) > 1 else None
    elif isinstance(node, ast.If) and len(node.body) == len(node.orelse) == 1:
        given, otherwise = node.body[0], node.orelse[0]  # if KEY in d.keys(): return d[KEY] else: return DEFAULT
        if (
            isinstance(given, ast.Return)
            and isinstance(otherwise, ast.Return)
            and isinstance(given.value, ast.Subscript)
        ):
            yield given.value.value, given.value.slice, otherwise.value
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value, node.slice, None
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.In):
        owner = node.comparators[0]
        if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute) and owner.func.attr == "keys":
            owner = owner.func.value
        yield owner, node.left, None


def _prefix(tree: Tree, module: Module, owner: ast.expr, prefixes: dict[str, str], env: dict[str, Any]) -> str | None:
    """Dotted place of a dict within the configuration, None for other dicts."""
    if isinstance(owner, ast.Subscript):
        outer = _prefix(tree, module, owner.value, prefixes, env)
        name = _text(tree, module, owner.slice, env)
        return None if outer is None or name is None else f"{outer}.{name}".lstrip(".")
    return prefixes.get(text(owner))


def _text(tree: Tree, module: Module, node: ast.expr, env: dict[str, Any]) -> str | None:
    try:
        value = fold(tree, module, node, env)
    except Unfoldable:
        return None
    return value if isinstance(value, str) and value.isidentifier() else None


def _record(tree: Tree, module: Module, default: ast.expr | None, env: dict[str, Any]) -> Record:
    record: Record = {"source": module.path}
    if default is None:
        return {**record, "default": None, "nullable": True}
    try:
        value = fold(tree, module, default, env)
    except Unfoldable:
        return {**record, "computed": text(default)}
    return {
        **record,
        "default": value,
        "nullable": value is None,
        "type": type(value).__name__ if value is not None else "",
    }


def _pipeline(tree: Tree, config: dict[str, Record], sections: dict[str, Record]) -> None:
    module = tree.module(_MAIN)
    assert module is not None
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Assign) and text(node.targets[0]) == "default_pipeline":
            for key, value in fold(tree, module, node.value).items():
                config[f"pipeline.{key}"] = {"type": type(value).__name__, "default": value, "source": _MAIN}
            sections["pipeline"] = {"extra": "ignore", "source": _MAIN}


def _model(tree: Tree, found: ClassRef, section: str, config: dict[str, Record], sections: dict[str, Record]) -> None:
    for key in [key for key in config if key.startswith(f"{section}.")]:
        del config[key]
    records = class_records(tree, found, prefix=f"{section}.", nested=True)
    config.update(records)
    sections[section] = {"extra": _extra(tree, found), "source": found.module.path}
    inner = {key.rpartition(".")[0] for key in records} - {section}
    for place in inner:
        sections[place] = {
            "extra": sections[section]["extra"],
            "source": records[place].get("source", found.module.path),
        }


def _extra(tree: Tree, found: ClassRef) -> str:
    """What a pydantic model does with keys it does not have: its own word, or its nearest ancestor's."""
    for owner in lineage(tree, found):
        for node in ast.walk(owner.node):
            if isinstance(node, ast.keyword) and node.arg == "extra":
                return str(fold(tree, owner.module, node.value))
            if isinstance(node, ast.Assign) and text(node.targets[0]) == "extra":
                return text(node.value).rsplit(".", 1)[-1].strip("'\"")
    return "ignore"


def _removed(tree: Tree) -> Iterator[str]:
    """Keys that the release knows only to refuse them."""
    module = tree.module(_MAIN)
    assert module is not None
    for name, prefix in (("_REMOVED_TOP_LEVEL_CONFIG_KEYS", ""), ("_REMOVED_ZERO_CONFIG_KEYS", "zero_optimization.")):
        listed = module.values.get(name)
        if isinstance(listed, ast.Dict):
            for node in listed.keys:
                assert node is not None
                yield prefix + str(fold(tree, module, node))
