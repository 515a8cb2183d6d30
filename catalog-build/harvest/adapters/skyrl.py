"""SkyRL since the packages were joined: nested dataclasses below `SkyRLTrainConfig`."""

from __future__ import annotations

from harvest.astread import class_records, find_class
from harvest.records import Tables
from harvest.tree import Tree

PACKAGE = None
GIT = "NovaSky-AI/SkyRL"
TAG = r"skyrl-v(?P<version>\d+\.\d+\.\d+)"
LICENCE = "Apache-2.0"
INCLUDE = ("skyrl/train/config/*.py",)

_CONFIG = "skyrl/train/config/config.py"


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """The one configuration of reinforcement learning, by dotted key."""
    root = find_class(tree, _CONFIG, "SkyRLTrainConfig") if _CONFIG in tree else None
    return {"train": class_records(tree, root, nested=True)} if root is not None else {}
