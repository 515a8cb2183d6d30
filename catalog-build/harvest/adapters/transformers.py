"""transformers: TrainingArguments, and the dicts that some of its fields take."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from harvest.astread import Unfoldable, class_records, find_class, fold, text
from harvest.records import Record, Tables
from harvest.tree import Module, Tree

PACKAGE = "transformers"
LICENCE = "Apache-2.0"
INCLUDE = (
    "transformers/training_args*.py",
    "transformers/trainer_utils.py",
    "transformers/trainer_pt_utils.py",
    "transformers/debug_utils.py",
    "transformers/utils/*.py",
)

_MAIN = "transformers/training_args.py"


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """`TrainingArguments` by field; `fsdp_config` and `accelerator_config` by the keys that those dicts may have."""
    module = tree.module(_MAIN)
    arguments = find_class(tree, _MAIN, "TrainingArguments")
    if module is None or arguments is None:
        return {}
    found: Tables = {"TrainingArguments": class_records(tree, arguments)}
    _conditional(module, found["TrainingArguments"])
    found["fsdp_config"] = dict(_dict_keys(tree, module))
    accelerator = find_class(tree, "transformers/trainer_pt_utils.py", "AcceleratorConfig")
    if accelerator is not None:
        found["accelerator_config"] = class_records(tree, accelerator)
    return found


def _conditional(module: Module, records: dict[str, Record]) -> None:
    """A default that the class body chooses by what is installed: says between which values."""
    record = records.get("optim")
    if record is None or record.get("computed") != "default_optim":
        return
    chosen = [
        ast.literal_eval(node.value)
        for node in ast.walk(module.classes["TrainingArguments"])
        if isinstance(node, ast.Assign) and text(node.targets[0]) == "default_optim"
    ]
    distinct = list(dict.fromkeys(reversed(chosen)))
    if len(distinct) == 1:
        del record["computed"]
        record["default"] = distinct[0]
    else:
        record["computed"] = " or ".join(distinct) + ", by the version of torch"


def _dict_keys(tree: Tree, module: Module) -> Iterator[tuple[str, Record]]:
    """Keys of `fsdp_config` with the default that `.get` or `.setdefault` gives them."""
    found: dict[str, Record] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            owner, attribute = text(node.func.value), node.func.attr
            if owner.split(".")[-1] != "fsdp_config" or attribute not in ("get", "setdefault"):
                continue
            key = fold(tree, module, node.args[0])
            record = _record(tree, module, node.args[1] if len(node.args) > 1 else None)
            if key not in found or found[key].get("default") is None:
                found[key] = record
        elif isinstance(node, ast.Subscript) and text(node.value).split(".")[-1] == "fsdp_config":
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                found.setdefault(node.slice.value, _record(tree, module, None))
        elif (
            isinstance(node, ast.Compare)
            and isinstance(node.left, ast.Constant)
            and isinstance(node.left.value, str)
            and text(node.comparators[0]).split(".")[-1] == "fsdp_config"
        ):
            found.setdefault(node.left.value, _record(tree, module, None))
    yield from found.items()


def _record(tree: Tree, module: Module, default: ast.expr | None) -> Record:
    if default is None:
        return {"default": None, "nullable": True, "source": module.path}
    try:
        value = fold(tree, module, default)
    except Unfoldable:
        return {"computed": text(default), "source": module.path}
    if isinstance(value, str) and value in ("true", "false"):  # texts that the code reads as a switch
        value = value == "true"
    return {"type": type(value).__name__, "default": value, "source": module.path}
