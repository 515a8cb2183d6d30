"""AReaL: nested dataclasses, one root for each kind of experiment."""

from __future__ import annotations

from harvest.astread import class_records, find_class
from harvest.records import Tables
from harvest.tree import Tree

PACKAGE = "areal"
GIT = "inclusionAI/AReaL"
TAG = r"v(?P<version>(?:0\.[345]|1\.0)\.\d+(\.post\d+)?)"
LICENCE = "Apache-2.0"
INCLUDE = ("areal/api/*.py",)
SKIP = ("0.3.0",)  # still the older package `realhf`, another tree of options

_CONFIG = "areal/api/cli_args.py"
_ROOTS = {"grpo": "GRPOConfig", "ppo": "PPOConfig", "sft": "SFTConfig", "rw": "RWConfig", "dpo": "DPOConfig"}


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """One table for each experiment's configuration, by dotted key."""
    found: Tables = {}
    for table, name in _ROOTS.items():
        root = find_class(tree, _CONFIG, name) if _CONFIG in tree else None
        if root is not None:
            found[table] = class_records(tree, root, nested=True)
    return found
