"""EasyR1: `python -m verl.trainer.main config=...`, a package called verl with a configuration of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["FRAMEWORK", "EasyR1"]


class EasyR1(Framework):
    """Recognises its one program, and configurations with its sections."""

    name = "easyr1"
    title = "EasyR1"
    programs = (r"(.*[./])?verl[./]trainer[./]main(\.py)?",)
    rank = 65

    def recognise_document(self, document: Document) -> bool:
        """A configuration with `worker.actor`, `worker.rollout` and a size of rollout batches."""
        from grpolint.documents.nodes import Mapping as MappingNode

        root = document.root
        worker = root.get("worker") if isinstance(root, MappingNode) else None
        data = root.get("data") if isinstance(root, MappingNode) else None
        if not isinstance(worker, MappingNode) or not isinstance(data, MappingNode):
            return False
        return all(each is not None for each in (data.get("rollout_batch_size"), worker.get("actor")))

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `easyr1.compose`."""
        from grpolint.documents.nodes import Document
        from grpolint.frameworks.easyr1.compose import compose_document, compose_launch

        if isinstance(document, Document):
            compose_document(run, world, document)
        else:
            compose_launch(run, world)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `easyr1.facts`."""
        from grpolint.frameworks.easyr1.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """`key=value` on the command line, `name: value` in a file."""
        from grpolint.frameworks.spelling import spell
        from grpolint.rules.api import show

        if setting is None and run.launch is not None:
            return f"{key}={show(value)}"
        return spell(key, value, setting, run, dashes=False)


FRAMEWORK = EasyR1()
