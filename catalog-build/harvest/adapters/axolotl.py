"""axolotl: a pydantic model put together from mixins, with sections that are models of their own."""

from __future__ import annotations

from harvest.astread import ClassRef, class_records, find_class
from harvest.records import Record, Tables
from harvest.tree import Tree

PACKAGE = "axolotl"
FIRST_PACKAGE = "0.5.2"  # the wheel of 0.5.0 is empty
LICENCE = "Apache-2.0"
INCLUDE = tuple(
    root + path
    for root in ("", "src/")  # wheels, source archives
    for path in ("axolotl/utils/schemas/*.py", "axolotl/utils/config/models/*.py", "axolotl/integrations/*args.py")
)

_PLACES = tuple(
    root + path
    for path in ("axolotl/utils/schemas/config.py", "axolotl/utils/config/models/input/v0_4_1/__init__.py")
    for root in ("", "src/")
)


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """The configuration by dotted key (`config`), and what the plugins of the release add to it (`plugins`)."""
    place = next((path for path in _PLACES if path in tree), None)
    root = find_class(tree, place, "AxolotlInputConfig") if place is not None else None
    if root is None:
        return {}
    plugins: dict[str, Record] = {}
    for root_folder in ("", "src/"):
        for module, node in tree.classes(root_folder + "axolotl/integrations/"):
            if node.name.endswith("Args"):
                plugins.update(class_records(tree, ClassRef(module, node), nested=True))
    found: Tables = {"config": class_records(tree, root, nested=True)}
    if plugins:
        found["plugins"] = plugins
    return found
