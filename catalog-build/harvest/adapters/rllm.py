"""rLLM: Hydra configurations, most of them on top of verl's."""

from __future__ import annotations

import yaml

from harvest.records import Tables
from harvest.tree import Tree
from harvest.yamltree import facts, leaves, yaml_record

PACKAGE = None
GIT = "rllm-org/rllm"
TAG = r"v(?P<version>\d+\.\d+\.\d+(\.post\d+|-pre)?)"
LICENCE = "Apache-2.0"
INCLUDE = ("rllm/*.yaml",)


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """One table a configuration file, by its name and dotted keys: its own keys, not those of its defaults list."""
    found: Tables = {}
    for path in _configs(tree):
        content = yaml.safe_load(tree.text(path))
        if isinstance(content, dict):
            content.pop("defaults", None)
            name = path.split("/config/", 1)[1].removesuffix(".yaml").replace("/", ".")
            found[name] = {key: yaml_record(value, path) for key, value in leaves(content)}
    return found


def files(tree: Tree, version: str) -> dict[str, str]:  # noqa: ARG001
    """The configuration files, by path."""
    return {path: facts(tree.text(path)) for path in _configs(tree)}


def _configs(tree: Tree) -> list[str]:
    return [
        path
        for path in tree.paths("rllm/", ".yaml")
        if "/config/" in path and not path.rsplit("/", 1)[-1].startswith("_generated")
    ]
