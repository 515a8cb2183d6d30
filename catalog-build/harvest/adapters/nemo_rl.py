"""NeMo-RL: the configurations in `examples/configs` are the defaults.

One table a base configuration (`grpo_math_1B` ...), by dotted key; those that start from another one are resolved.
Recipes start from the same files, which are kept as `files`.
"""

from __future__ import annotations

from typing import Any

import yaml

from harvest.records import Tables
from harvest.tree import Tree
from harvest.yamltree import facts, leaves, yaml_record

PACKAGE = None
GIT = "NVIDIA-NeMo/RL"
LICENCE = "Apache-2.0"
INCLUDE = ("examples/configs/*.yaml",)

_HOME = "examples/configs/"
_BASES = (
    "grpo_math_1B",
    "grpo_math_1B_megatron",
    "ppo_math_1B",
    "dpo",
    "sft",
    "rm",
    "distillation_math",
    "vlm_grpo_3B",
)


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """One table for each base configuration that the release has."""
    found: Tables = {}
    for name in _BASES:
        path = f"{_HOME}{name}.yaml"
        if path in tree:
            composed = _composed(tree, path, 0)
            found[name] = {key: yaml_record(value, path) for key, value in leaves(composed)}
    return found


def files(tree: Tree, version: str) -> dict[str, str]:  # noqa: ARG001
    """Configurations directly in `examples/configs`, by file name."""
    return {
        path.removeprefix(_HOME): facts(tree.text(path))
        for path in tree.paths(_HOME, ".yaml")
        if "/" not in path.removeprefix(_HOME)
    }


def _composed(tree: Tree, path: str, depth: int) -> dict[Any, Any]:
    """The configuration with those it names under `defaults` below it."""
    content = yaml.safe_load(tree.text(path)) or {}
    parents = content.pop("defaults", [])
    merged: dict[Any, Any] = {}
    for parent in [parents] if isinstance(parents, str) else parents:
        source = path.rsplit("/", 1)[0] + "/" + str(parent)
        if source in tree and depth < 8:
            merged = _merged(merged, _composed(tree, source, depth + 1))
    return _merged(merged, content)


def _merged(base: dict[Any, Any], over: dict[Any, Any]) -> dict[Any, Any]:
    result = dict(base)
    for key, value in over.items():
        old = result.get(key)
        result[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return result
