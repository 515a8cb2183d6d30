"""AReaL: scripts that read a YAML with overrides behind `--config`, alone or through its launchers, and the YAML itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.nodes import Mapping as MappingNode
    from grpolint.documents.python import PythonDocument
    from grpolint.launch import Launch
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["FRAMEWORK", "AReaL", "is_configuration"]

_BOOKKEEPING = ("saver", "recover", "evaluator", "stats_logger", "perf_tracer")


class AReaL(Framework):
    """Recognises the launchers by name, scripts by the file that they are given or by what they import."""

    name = "areal"
    title = "AReaL"
    programs = (r"(.*[./])?areal[./](infra[./])?launcher[./](local|ray|slurm)(\.py)?",)
    rank = 60

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """By the launcher's name, or `--config` with a file that is a configuration of AReaL."""
        if super().recognise_launch(launch, world):
            return True
        if not launch.program.endswith(".py"):
            return False
        from grpolint.frameworks.areal.commandline import split
        from grpolint.frameworks.asking import find_file
        from grpolint.frameworks.trees import yaml_root

        config, _ = split(launch.argv)
        if config is None:
            return False
        source = find_file(world, config.pattern)
        root = yaml_root(source) if source is not None else None
        if root is not None:
            return is_configuration(root)
        script = world.find(launch.program)
        return script is not None and "load_expr_config" in script.text and "areal" in script.text

    def recognise_document(self, document: Document) -> bool:
        """See `is_configuration`."""
        from grpolint.documents.nodes import Mapping as MappingNode

        return isinstance(document.root, MappingNode) and is_configuration(document.root)

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `areal.compose`."""
        from grpolint.documents.nodes import Document
        from grpolint.frameworks.areal.compose import compose_document, compose_launch

        if isinstance(document, Document):
            compose_document(run, world, document)
        else:
            compose_launch(run, world)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `areal.facts`."""
        from grpolint.frameworks.areal.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """An override gets a `+` where the file does not have the key: Hydra sets only what is there."""
        spelled = super().spell(key, value, setting, run)
        return "+" + spelled if setting is None and run.launch is not None else spelled


def is_configuration(root: MappingNode) -> bool:
    """Whether a YAML is a configuration of an AReaL experiment: its names, an engine, a cluster or an allocation, and two of
    the sections that every experiment has for its own records.
    """
    from grpolint.documents.nodes import Mapping as MappingNode

    if root.get("experiment_name") is None or root.get("trial_name") is None:
        return False
    if not isinstance(root.get("actor"), MappingNode) and not isinstance(root.get("rollout"), MappingNode):
        return False
    if root.get("cluster") is None and root.get("allocation_mode") is None:
        return False
    return sum(isinstance(root.get(name), MappingNode) for name in _BOOKKEEPING) >= 2


FRAMEWORK = AReaL()
