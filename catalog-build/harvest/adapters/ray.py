"""Ray: the keyword arguments of `ray.init`."""

from __future__ import annotations

from harvest.astread import signature
from harvest.records import Tables
from harvest.tree import Tree

PACKAGE = "ray"
LICENCE = "Apache-2.0"
INCLUDE = ("ray/_private/worker.py", "ray/_private/ray_constants.py")

_WORKER = "ray/_private/worker.py"


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """Table `init`; arguments that start with an underscore are Ray's own but usable, and listed too."""
    module = tree.module(_WORKER)
    function = module.functions.get("init") if module is not None else None
    if module is None or function is None:
        return {}
    return {"init": signature(tree, module, function)}
