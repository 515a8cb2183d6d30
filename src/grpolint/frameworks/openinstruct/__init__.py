"""open-instruct: its programs, alone or behind `mason.py ... --`, which hands a command line to Beaker."""

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

__all__ = ["FRAMEWORK", "OpenInstruct"]


class OpenInstruct(Framework):
    """Recognises its programs in their folder, and mason.py where it starts one of them."""

    name = "open-instruct"
    title = "open-instruct"
    programs = (r"(.*[./])?open_instruct[./](grpo_fast|grpo|finetune|dpo|dpo_tune_cache|reward_modeling)(\.py)?",)
    rank = 62

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """By the program, or by the one behind mason.py, which quotes the words that it is given: read as text of a shell they
        are others, so that reading is left aside.
        """
        from grpolint.frameworks.openinstruct.programs import started

        if launch.span.source is not world.main and "mason.py" in world.main.text:
            return False
        return started(launch, self.programs[0]) is not None

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `openinstruct.compose`."""
        from grpolint.frameworks.openinstruct.compose import compose

        compose(run, world, self.programs[0])

    def facts(self) -> Mapping[str, FactFunction]:
        """See `openinstruct.facts`."""
        from grpolint.frameworks.openinstruct.facts import FACTS, GRPO

        return {**FACTS, **GRPO}

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """Flags have underscores; a boolean is followed by its value."""
        from grpolint.frameworks.openinstruct.programs import syntax
        from grpolint.frameworks.spelling import spell

        settings = run.settings[self.name]
        return spell(key, value, setting, run, syntax(settings.tables), dashes=False)


FRAMEWORK = OpenInstruct()
