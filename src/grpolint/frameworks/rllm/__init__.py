"""rLLM: Hydra programs that start its AgentTrainer, with configurations on top of verl's or for a training service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.launch import Launch
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["FRAMEWORK", "Rllm"]


class Rllm(Framework):
    """Recognises its own programs by name, and scripts by options below `rllm.` or by the configuration they name."""

    name = "rllm"
    title = "rLLM"
    programs = (r"(.*[./])?rllm[./]trainer[./]verl[./]train_\w+(\.py)?",)
    rank = 70

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """By the program's name, by an option that only rLLM has, or by the script's `hydra.main`."""
        if super().recognise_launch(launch, world):
            return True
        if launch.program.startswith(("verl.", "recipe.")):
            return False
        if any(word.prefix.lstrip("+~").startswith(("rllm.", "rllm/backend=")) for word in launch.argv):
            return True
        if not any("=" in word.prefix for word in launch.argv):
            return False
        from grpolint.frameworks.rllm.programs import script_of

        script = script_of(launch.program, world)
        return script is not None and "pkg://rllm." in script.text

    def recognise_python(self, document: PythonDocument) -> bool:
        """A file that builds an AgentTrainer of rLLM's."""
        return any(
            call.last == "AgentTrainer" and document.imports.get("AgentTrainer", "").startswith("rllm.")
            for call in document.calls
        )

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `rllm.compose`."""
        from grpolint.frameworks.rllm.compose import compose_launch, compose_python

        if document is None:
            compose_launch(run, world)
        else:
            compose_python(run, world, cast("PythonDocument", document))

    def facts(self) -> Mapping[str, FactFunction]:
        """See `rllm.facts`."""
        from grpolint.frameworks.rllm.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """As verl's options are written."""
        from grpolint.frameworks.verl.spelling import spell

        return spell(key, value, setting, run)


FRAMEWORK = Rllm()
