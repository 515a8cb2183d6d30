"""EasyR1: nested dataclasses below `PPOConfig`, in a package that is called verl."""

from __future__ import annotations

from harvest.astread import class_records, find_class
from harvest.records import Tables
from harvest.tree import Tree

PACKAGE = None
GIT = "hiyouga/EasyR1"
TAG = r"v(?P<version>\d+\.\d+\.\d+)"
LICENCE = "Apache-2.0"
INCLUDE = ("verl/trainer/config.py", "verl/workers/*config.py", "verl/workers/*__init__.py")

_CONFIG = "verl/trainer/config.py"


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """The one configuration, by dotted key."""
    root = find_class(tree, _CONFIG, "PPOConfig") if _CONFIG in tree else None
    return {"ppo": class_records(tree, root, nested=True)} if root is not None else {}
