"""verl: Hydra programs of the package, of its recipes and of projects built on it, and whole configurations in YAML."""

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

__all__ = ["FRAMEWORK", "Verl"]

_OTHERS = ("rllm", "skyrl", "nemo", "easyr1", "trl.", "openrlhf")
_SECTIONS = (
    "actor_rollout_ref.actor.",
    "actor_rollout_ref.rollout.",
    "actor_rollout_ref.model.",
    "actor_rollout_ref.ref.",
)


class Verl(Framework):
    """Recognises verl's own programs by name and others by the options that only verl has."""

    name = "verl"
    title = "verl"
    programs = (
        r"(.*[./])?verl[./]trainer[./](main_(ppo|eval|generation)\w*|(fsdp_)?sft_trainer\w*)(\.py)?",
        r"(.*[./])?verl[./]experimental[./](\w+[./])+\w*main\w*(\.py)?",
        r"(.*[./])?recipe[./](\w+[./])+(main_\w+|\w+_main)(\.py)?",
    )
    rank = 60

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """By the program's name, or by options of at least two of verl's sections."""
        if super().recognise_launch(launch, world):
            return True
        if launch.program.lower().startswith(_OTHERS):
            return False
        found = {
            section for word in launch.argv for section in _SECTIONS if word.prefix.lstrip("+").startswith(section)
        }
        return len(found) >= 2

    def recognise_document(self, document: Document) -> bool:
        """A configuration with verl's sections and nothing that belongs to a file of a group."""
        from grpolint.documents.nodes import Mapping as MappingNode

        root = document.root
        if not isinstance(root, MappingNode):
            return False
        workers = root.get("actor_rollout_ref")
        if not isinstance(workers, MappingNode) or not isinstance(root.get("trainer"), MappingNode):
            return False
        sections = sum(workers.get(name) is not None for name in ("actor", "rollout", "model"))
        return sections >= 1 and (root.get("data") is not None or root.get("algorithm") is not None)

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `verl.compose`."""
        from grpolint.documents.nodes import Document
        from grpolint.frameworks.verl.compose import compose_document, compose_launch

        if isinstance(document, Document):
            compose_document(run, world, document)
        else:
            compose_launch(run, world)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `verl.facts`."""
        from grpolint.frameworks.verl.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """An override keeps its `+`; a new key that the configuration does not have gets one."""
        from grpolint.frameworks.verl.spelling import spell

        return spell(key, value, setting, run)


FRAMEWORK = Verl()
