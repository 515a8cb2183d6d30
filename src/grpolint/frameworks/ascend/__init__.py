"""vllm-ascend: the plugin below vLLM on Ascend NPUs. It leads no run; it reads what others pass on to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.run import Run
    from grpolint.world import World

_VARIABLES = ("ASCEND_", "HCCL_", "VLLM_ASCEND_")
_MARK = "additional_config."


class _Ascend(Framework):
    name = "vllm-ascend"
    title = "vllm-ascend"

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """It leads no run."""

    def extend(self, run: Run, world: World) -> None:
        """Look at vLLM's `additional_config`, which on an NPU is all vllm-ascend's."""
        found = [each for settings in run.settings.values() for each in settings if _MARK in f"{each.key}."]
        if found and (self.name in run.releases or any(name.startswith(_VARIABLES) for name in run.env)):
            from grpolint.frameworks.ascend.compose import check_additional

            check_additional(run, world, found, _MARK)


FRAMEWORK = _Ascend()
