"""SGLang: the server (`sglang serve`, `python -m sglang.launch_server`) and engines made in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["ENGINES", "FRAMEWORK", "SGLang"]

ENGINES = ("sglang.Engine", "sglang.srt.server_args.ServerArgs", "sglang.srt.entrypoints.engine.Engine", "ServerArgs")
"""Calls that make an engine; `Engine` alone is a name of many things."""


class SGLang(Framework):
    """Recognises servers by their program and Python files by their calls."""

    name = "sglang"
    title = "SGLang"
    programs = (r"sglang serve", r"(.*[./])?sglang[./]launch_server(\.py)?")
    rank = 20

    def recognise_python(self, document: PythonDocument) -> bool:
        """Whether the file makes an engine of SGLang."""
        from grpolint.frameworks.pycalls import calls, imports

        return imports(document, "sglang") and next(calls(document, *ENGINES), None) is not None

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `sglang.compose`."""
        from grpolint.frameworks.sglang.compose import compose

        compose(run, world, document)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `sglang.facts`."""
        from grpolint.frameworks.sglang.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """Flags have dashes; a switch is turned off by leaving it out. slime passes them on with a prefix."""
        from grpolint.frameworks.sglang.compose import syntax
        from grpolint.frameworks.spelling import spell

        spelled = spell(key, value, setting, run, syntax(run.settings["sglang"].version.text), dashes=True)
        prefixed = run.trainer == "slime" and spelled.startswith("--") and not spelled.startswith("--sglang-")
        return spelled.replace("--", "--sglang-", 1) if prefixed else spelled


FRAMEWORK = SGLang()
