"""OpenRLHF: the command lines of its entry points."""

from __future__ import annotations

from harvest.astread import parser_records
from harvest.records import Tables
from harvest.tree import Tree

PACKAGE = "openrlhf"
LICENCE = "Apache-2.0"
INCLUDE = ("openrlhf/*.py",)


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """One table for each `openrlhf/cli/<program>.py`, keys as argparse's destinations (`zero_stage`, `ds.zero_stage`)."""
    found: Tables = {}
    for path in tree.paths("openrlhf/cli/", ".py"):
        options = parser_records(tree, path)
        if options:
            found[path.rsplit("/", 1)[-1].removesuffix(".py")] = options
    return found
