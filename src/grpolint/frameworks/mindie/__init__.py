"""MindIE: the config.json of its service, which says which model is served on which NPUs with which batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["FRAMEWORK", "MindIE"]


class MindIE(Framework):
    """Recognises its configuration by the sections for server, backend and model."""

    name = "mindie"
    title = "MindIE"
    rank = 22

    def recognise_document(self, document: Document) -> bool:
        """A JSON with a server, and a backend that deploys a model."""
        from grpolint.documents.nodes import Mapping as MappingNode

        root = document.root
        if document.language != "json" or not isinstance(root, MappingNode):
            return False
        backend = root.get("BackendConfig")
        return isinstance(root.get("ServerConfig"), MappingNode) and (
            isinstance(backend, MappingNode) and isinstance(backend.get("ModelDeployConfig"), MappingNode)
        )

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `mindie.compose`."""
        from grpolint.documents.nodes import Document
        from grpolint.frameworks.mindie.compose import compose

        if isinstance(document, Document):
            compose(run, world, document)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `mindie.compose`."""
        from grpolint.frameworks.mindie.compose import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """A member of the JSON."""
        import json

        return f"{json.dumps(key.rpartition('.')[2])}: {json.dumps(value)}"


FRAMEWORK = MindIE()
