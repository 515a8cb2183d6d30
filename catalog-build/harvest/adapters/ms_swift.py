"""ms-swift: argument classes put together from mixins; fields that transformers' own class adds are not among them."""

from __future__ import annotations

import re

from harvest.astread import class_records, find_class
from harvest.records import Tables
from harvest.tree import Tree

PACKAGE = "ms-swift"
FIRST_PACKAGE = "3.0.0"  # 2.x had another layout
LICENCE = "Apache-2.0"
INCLUDE = ("swift/*.py",)

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
_DECLARED = re.compile(r"^class (\w+Arguments)\b", re.MULTILINE)


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """One table a command."""
    wanted = {name: table for table, name in _CLASSES.items()}
    wanted |= {"TrainArguments": "sft", "MegatronTrainArguments": "megatron_sft"}  # former names
    found: Tables = {}
    for path in tree.paths("swift/", ".py"):
        for name in _DECLARED.findall(tree.text(path)):
            owner = find_class(tree, path, name) if name in wanted else None
            if owner is not None:
                found[wanted[name]] = class_records(tree, owner)
    return found
