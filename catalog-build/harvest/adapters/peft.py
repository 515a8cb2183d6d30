"""PEFT: the configuration classes of the adapters that RL recipes use."""

from __future__ import annotations

from harvest.astread import class_records, find_class
from harvest.records import Tables
from harvest.tree import Tree

PACKAGE = "peft"
LICENCE = "Apache-2.0"
INCLUDE = ("peft/*.py",)

_CLASSES = {
    "lora": ("peft/tuners/lora/config.py", "LoraConfig"),
}


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """Table `lora`: fields of LoraConfig."""
    found: Tables = {}
    for table, (path, name) in _CLASSES.items():
        config = find_class(tree, path, name)
        if config is not None:
            found[table] = class_records(tree, config)
    return found
