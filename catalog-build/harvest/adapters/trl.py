"""TRL: its configuration classes (own fields; the rest are transformers' TrainingArguments), its scripts and server."""

from __future__ import annotations

import ast
import re

from harvest.astread import ClassRef, class_records, find_class, lineage
from harvest.records import Tables
from harvest.tree import Tree

PACKAGE = "trl"
LICENCE = "Apache-2.0"
INCLUDE = ("trl/*.py",)

_FURTHER = {
    "ScriptArguments": "script_arguments",
    "DatasetMixtureConfig": "dataset_mixture",
    "ModelConfig": "model_config",
}


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """One table for each configuration class, named as the class (`GRPOConfig`), the stable one before an experimental one.

    `script_arguments`, `dataset_mixture` and `model_config` are what TRL's scripts take besides, some of them more under
    their own class (`GRPOScriptArguments`); `vllm_serve` are the server's flags. Inherited fields are included as far as TRL itself declares them.
    """
    found: Tables = {}
    for folder in ("trl/trainer/", "trl/experimental/"):
        for module, node in tree.classes(folder):
            if not re.fullmatch(r"(?!Example)[A-Z]\w*Config", node.name) or node.name in _FURTHER:
                continue
            trained = ClassRef(module, node)
            if any(_is_dataclass(owner.node) for owner in lineage(tree, trained)):
                options = class_records(tree, trained)
                if options:
                    found.setdefault(node.name, options)
    for path in ("trl/trainer/model_config.py", "trl/scripts/utils.py", "trl/utils.py"):
        for name, table in _FURTHER.items():
            config = find_class(tree, path, name)
            if config is not None:
                found.setdefault(table, class_records(tree, config))
    for module, node in tree.classes("trl/scripts/"):
        if re.fullmatch(r"[A-Z]\w+ScriptArguments", node.name):  # `GRPOScriptArguments` and its like
            found[node.name] = class_records(tree, ClassRef(module, node))
    server = find_class(tree, "trl/scripts/vllm_serve.py", "ScriptArguments")
    if server is not None:
        found["vllm_serve"] = class_records(tree, server)
    return found


def _is_dataclass(node: ast.ClassDef) -> bool:
    return any("dataclass" in ast.unparse(item) for item in node.decorator_list)
