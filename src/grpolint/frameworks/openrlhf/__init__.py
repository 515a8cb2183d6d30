"""OpenRLHF: `openrlhf.cli.train_*`, with the dotted option names of 0.10.2 and the underscored ones before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["FRAMEWORK", "OpenRLHF"]


class OpenRLHF(Framework):
    """Recognises the training modules of the package by their name."""

    name = "openrlhf"
    title = "OpenRLHF"
    programs = (r"(.*[./])?openrlhf[./]cli[./]train_[a-z_]+(\.py)?",)
    rank = 60

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `openrlhf.compose`."""
        from grpolint.frameworks.openrlhf.compose import compose

        compose(run, world)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `openrlhf.facts`."""
        from grpolint.frameworks.openrlhf.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """Flags with underscores and dots; a switch is turned off by leaving it out."""
        from grpolint.frameworks.openrlhf.compose import syntax, table_name
        from grpolint.frameworks.openrlhf.names import name_in_release
        from grpolint.frameworks.spelling import spell

        key = name_in_release(table_name(run.program), key, run.settings["openrlhf"])
        return spell(key, value, setting, run, syntax(run), dashes=False)


FRAMEWORK = OpenRLHF()
