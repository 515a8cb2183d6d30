"""SkyRL: its entry points, before (`skyrl_train`) and since (`skyrl.train`) its packages were joined, and programs on top."""

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

__all__ = ["FRAMEWORK", "SkyRL"]

_SECTIONS = ("trainer.placement.", "trainer.policy.", "trainer.algorithm.", "generator.", "environment.")


class SkyRL(Framework):
    """Recognises its entry points by name and programs on top of them by options of at least three of its sections."""

    name = "skyrl"
    title = "SkyRL"
    programs = (r"(.*[./])?skyrl(_train|[./]train)[./]entrypoints[./]main_\w+(\.py)?",)
    rank = 65

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """By the program's name or by its options."""
        if super().recognise_launch(launch, world):
            return True
        found = {
            section for word in launch.argv for section in _SECTIONS if word.prefix.lstrip("+").startswith(section)
        }
        return len(found) >= 3 and any("trainer.p" in section for section in found)

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `skyrl.compose`."""
        from grpolint.frameworks.skyrl.compose import compose_launch

        compose_launch(run, world)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `skyrl.facts`."""
        from grpolint.frameworks.skyrl.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """`key=value`; a mark that stands there is kept."""
        from grpolint.rules.api import show

        mark = ""
        if setting is not None and setting.span is not None:
            written = setting.span.text.lstrip("'\"")
            mark = written[: len(written) - len(written.lstrip("+"))]
        return f"{mark}{key}={show(value)}"


FRAMEWORK = SkyRL()
