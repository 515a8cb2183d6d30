"""ROLL: one configuration of nested dataclasses for each pipeline, read from a YAML that Hydra composes."""

from __future__ import annotations

from harvest.astread import class_records, find_class
from harvest.records import Tables
from harvest.tree import Tree

PACKAGE = None
GIT = "alibaba/ROLL"
TAG = r"v(?P<version>\d+\.\d+\.\d+)"
LICENCE = "Apache-2.0"
INCLUDE = ("roll/configs/*.py", "roll/pipeline/*/*config.py")

_PIPELINES = {
    "rlvr": ("roll/pipeline/rlvr/rlvr_config.py", "RLVRConfig"),
    "agentic": ("roll/pipeline/agentic/agentic_config.py", "AgenticConfig"),
    "dpo": ("roll/pipeline/dpo/dpo_config.py", "DPOConfig"),
    "sft": ("roll/pipeline/sft/sft_config.py", "SFTConfig"),
    "distill": ("roll/pipeline/distill/distill_config.py", "DistillConfig"),
}


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """The configuration of each pipeline that the release has, by dotted key."""
    found: Tables = {}
    for name, (path, cls) in _PIPELINES.items():
        root = find_class(tree, path, cls) if path in tree else None
        if root is not None:
            found[name] = class_records(tree, root, nested=True)
    return found
