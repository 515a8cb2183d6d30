"""Megatron-LM: pretraining and RL scripts that take Megatron's arguments."""

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

__all__ = ["FRAMEWORK", "Megatron"]

_MARKS = (
    "--tensor-model-parallel-size",
    "--pipeline-model-parallel-size",
    "--context-parallel-size",
    "--expert-model-parallel-size",
    "--num-layers",
    "--hidden-size",
    "--num-attention-heads",
    "--ffn-hidden-size",
    "--micro-batch-size",
    "--global-batch-size",
    "--seq-length",
    "--max-position-embeddings",
    "--train-iters",
    "--train-samples",
    "--use-distributed-optimizer",
)
"""Arguments that in this spelling are Megatron's. One of them proves nothing, several do."""

_FOREIGN = ("--rollout-batch-size", "--actor-num-gpus-per-node", "--rollout-num-gpus", "--hf-checkpoint", "--rlhf_type")
"""Arguments of trainers that take Megatron's arguments among their own."""


class Megatron(Framework):
    """Recognises a Python script by the Megatron arguments that it gets."""

    name = "megatron"
    title = "Megatron-LM"
    programs = (r".*\.py", r"[\w.]+")
    rank = 40

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """Whether a Python program gets several arguments that only Megatron has, and none of another trainer."""
        if not super().recognise_launch(launch, world):
            return False
        names = {word.prefix.split("=", 1)[0] for word in launch.argv}
        if any(name in names for name in _FOREIGN):
            return False
        return sum(mark in names for mark in _MARKS) >= 3 or "--yaml-cfg" in names

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `megatron.compose`."""
        from grpolint.frameworks.megatron.compose import compose

        compose(run, world)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `megatron.facts`."""
        from grpolint.frameworks.megatron.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """Flags have dashes; a switch is turned off by leaving it out."""
        from grpolint.frameworks.megatron.compose import syntax
        from grpolint.frameworks.spelling import spell

        return spell(key, value, setting, run, syntax(run.settings["megatron"].version.text), dashes=True)


FRAMEWORK = Megatron()
