"""vLLM: the server (`vllm serve`, the OpenAI entry point) and engines made in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["FRAMEWORK", "VLLM"]

_ENGINES = ("LLM", "AsyncEngineArgs", "EngineArgs", "AsyncLLMEngine")


class VLLM(Framework):
    """Recognises servers by their program and Python files by their calls."""

    name = "vllm"
    title = "vLLM"
    programs = (r"vllm serve", r"(.*[./])?vllm[./]entrypoints[./](openai[./])?api_server(\.py)?")
    rank = 20

    def recognise_python(self, document: PythonDocument) -> bool:
        """Whether the file makes an engine of vLLM."""
        from grpolint.frameworks.pycalls import calls, imports

        return imports(document, "vllm") and next(calls(document, *_ENGINES), None) is not None

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `vllm.compose`."""
        from grpolint.frameworks.vllm.compose import compose

        compose(run, world, document)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `vllm.facts`."""
        from grpolint.frameworks.vllm.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """Flags have dashes and `--no-` forms."""
        from grpolint.frameworks.spelling import spell
        from grpolint.frameworks.vllm.compose import syntax

        return spell(key, value, setting, run, syntax(run.settings["vllm"].version.text), dashes=True)


FRAMEWORK = VLLM()
