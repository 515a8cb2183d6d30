"""ROLL: `examples/start_rlvr_pipeline.py` and its neighbours, which take a path and a name of a YAML that Hydra composes."""

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

__all__ = ["FRAMEWORK", "ROLL"]

_ROLES = ("actor_train", "sft_train", "student", "student_train")


class ROLL(Framework):
    """Recognises its programs by name and flags, and configurations by the roles with a strategy."""

    name = "roll"
    title = "ROLL"
    programs = (r"(.*/)?start_\w+_pipeline\.py",)
    rank = 61

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """One of its programs with `--config_name`."""
        named = any(word.prefix.split("=", 1)[0] == "--config_name" for word in launch.argv)
        return named and super().recognise_launch(launch, world)

    def recognise_document(self, document: Document) -> bool:
        """A YAML with a role that trains, which has a strategy by name and devices."""
        from grpolint.documents.nodes import Mapping as MappingNode

        root = document.root
        if document.language != "yaml" or not isinstance(root, MappingNode):
            return False
        for name in _ROLES:
            role = root.get(name)
            strategy = role.get("strategy_args") if isinstance(role, MappingNode) else None
            if isinstance(strategy, MappingNode) and strategy.get("strategy_name") is not None:
                return True
        return False

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `roll.compose`."""
        from grpolint.documents.nodes import Document
        from grpolint.frameworks.roll.compose import compose_document, compose_launch

        if isinstance(document, Document):
            compose_document(run, world, document)
        else:
            compose_launch(run, world)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `roll.facts`."""
        from grpolint.frameworks.roll.facts import FACTS, ROLLOUT

        return {**FACTS, **ROLLOUT}

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """A line of the YAML: there are no options on the command line."""
        from grpolint.rules.api import show

        return f"{key.rpartition('.')[2]}: {show(value)}"


FRAMEWORK = ROLL()
