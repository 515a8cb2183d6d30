"""accelerate: its YAML on its own, and `accelerate launch` of a program that no trainer claims."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.launch import Launch
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["FRAMEWORK", "Accelerate"]

_TELLING = ("--config_file", "--config-file", "--use_fsdp", "--use-fsdp", "--use_deepspeed", "--use-deepspeed")


class Accelerate(Framework):
    """Recognises its configuration files by their keys."""

    name = "accelerate"
    title = "accelerate"
    rank = 5

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """Whether the launcher is told how to distribute: that much is known of any program."""
        for name, words in zip(launch.wrappers, launch.wrapper_argv):
            if name == "accelerate":
                return any(word.prefix.split("=", 1)[0] in _TELLING for word in words)
        return False

    def recognise_document(self, document: Document) -> bool:
        """Whether the top level has accelerate's distributed type and another of its keys."""
        from grpolint.documents.nodes import Mapping as Tree

        root = document.root
        if not isinstance(root, Tree) or root.get("distributed_type") is None:
            return False
        return bool({"compute_environment", "num_processes", "machine_rank", "mixed_precision"} & set(root.keys()))

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `accelerate.compose`."""
        from grpolint.frameworks.accelerate.compose import compose

        compose(run, world, document)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `accelerate.facts`."""
        from grpolint.frameworks.accelerate.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """Flags have underscores; keys of a file keep the name they have there."""
        from grpolint.frameworks.accelerate.compose import syntax
        from grpolint.frameworks.spelling import spell

        return spell(key, value, setting, run, syntax(run.settings["accelerate"].version.text), dashes=False)


FRAMEWORK = Accelerate()
