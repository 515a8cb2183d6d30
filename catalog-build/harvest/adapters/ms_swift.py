"""ms-swift: argument classes put together from mixins; fields that transformers' own class adds are not among them."""

from __future__ import annotations

from harvest.astread import class_records, find_class
from harvest.records import Tables
from harvest.tree import Tree

PACKAGE = "ms-swift"
FIRST_PACKAGE = "3.0.0"  # 2.x had another layout
LICENCE = "Apache-2.0"
INCLUDE = (
    "swift/arguments/*.py",
    "swift/llm/argument/*.py",
    "swift/llm/__init__.py",
    "swift/megatron/arguments/*.py",
    "swift/megatron/argument/*.py",
    "swift/trainers/*arg*.py",
    "swift/rlhf_trainers/*arg*.py",
    "swift/ray_utils/*arg*.py",
    "swift/ray/*.py",
)

_CLASSES = {
    "rlhf": "RLHFArguments",
    "sft": "SftArguments",
    "pt": "PretrainArguments",
    "rollout": "RolloutArguments",
    "deploy": "DeployArguments",
    "infer": "InferArguments",
    "export": "ExportArguments",
    "megatron_sft": "MegatronSftArguments",
    "megatron_rlhf": "MegatronRLHFArguments",
}


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """One table a command."""
    wanted = {name: table for table, name in _CLASSES.items()}
    wanted |= {"TrainArguments": "sft", "MegatronTrainArguments": "megatron_sft"}  # former names
    found: Tables = {}
    for module, node in tree.classes("swift/"):
        table = wanted.get(node.name)
        owner = find_class(tree, module.path, node.name) if table else None
        if table and owner is not None:
            found[table] = class_records(tree, owner)
    return found
