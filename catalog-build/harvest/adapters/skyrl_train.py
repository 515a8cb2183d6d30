"""skyrl-train, the package before SkyRL was joined: a Hydra configuration."""

from __future__ import annotations

import yaml

from harvest.records import Tables
from harvest.tree import Tree
from harvest.yamltree import facts, leaves, yaml_record

PACKAGE = None
GIT = "NovaSky-AI/SkyRL"
TAG = r"skyrl_train-v(?P<version>\d+\.\d+\.\d+)"
LICENCE = "Apache-2.0"
INCLUDE = ("skyrl-train/skyrl_train/config/*.yaml",)

_HOME = "skyrl-train/skyrl_train/config/"


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """One table a configuration file: its own keys, not those of its defaults list."""
    found: Tables = {}
    for path in tree.paths(_HOME, ".yaml"):
        content = yaml.safe_load(tree.text(path))
        if isinstance(content, dict):
            content.pop("defaults", None)
            name = path.removeprefix(_HOME).removesuffix(".yaml").replace("/", ".")
            found[name] = {key: yaml_record(value, path) for key, value in leaves(content)}
    return found


def files(tree: Tree, version: str) -> dict[str, str]:  # noqa: ARG001
    """The configuration files, below `skyrl_train/config`."""
    return {
        "skyrl_train/config/" + path.removeprefix(_HOME): facts(tree.text(path)) for path in tree.paths(_HOME, ".yaml")
    }
