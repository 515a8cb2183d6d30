"""The handbook's flat configuration: a JSON or YAML mapping without nesting, given as a file or on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["FRAMEWORK", "Handbook"]

_MOST = 60
"""A mapping with more keys is something else."""


class Handbook(Framework):
    """Recognises the mapping by its keys."""

    name = "handbook"
    title = "flat configuration of the handbook"
    rank = 15

    def recognise_document(self, document: Document) -> bool:
        """Whether the keys are the flat configuration's: a telling one among them, and two of three known at least.

        Of one that the command line gives as text (`--config '{...}'`) it is enough that half of the keys are known or nearly
        so: nobody gives anything else there but whole configurations of DeepSpeed and the like, which have other keys.
        """
        from grpolint.documents.nodes import Mapping as Tree
        from grpolint.documents.nodes import Scalar

        root = document.root
        if not isinstance(root, Tree) or not 0 < len(root.entries) <= _MOST or document.further:
            return False
        if not all(isinstance(entry.value, Scalar) for entry in root.entries):
            return False
        from grpolint.frameworks.handbook.keys import SIXTEEN, TELLING, find_key

        names = root.keys()
        found = {name: key.name for name in names if (key := find_key(name)) is not None}
        if document.source.path == "--config":
            from grpolint.suggest import suggestion

            near = [name for name in names if name not in found and suggestion(name, SIXTEEN)]
            return 2 * (len(found) + len(near)) >= len(names)
        known = set(found.values())
        if not known & TELLING:
            return False
        return len(found) == len(names) or (len(known & SIXTEEN) >= 3 and 3 * len(found) >= 2 * len(names))

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `handbook.compose`."""
        from grpolint.frameworks.handbook.compose import compose

        compose(run, document)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `handbook.facts`."""
        from grpolint.frameworks.handbook.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """A line of the mapping, under the name that stands there."""
        from grpolint.frameworks.spelling import spell

        return spell(key, value, setting, run, dashes=False)


FRAMEWORK = Handbook()
