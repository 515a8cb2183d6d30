"""DeepSpeed: its JSON, found on its own, named by a launch, written into Python or into another program's files."""

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

__all__ = ["FRAMEWORK", "DeepSpeed"]

_SURE = frozenset({"zero_optimization", "train_micro_batch_size_per_gpu", "zero_allow_untested_optimizer"})
_LIKELY = frozenset(
    {
        "train_batch_size",
        "gradient_accumulation_steps",
        "gradient_clipping",
        "steps_per_print",
        "wall_clock_breakdown",
        "prescale_gradients",
        "fp16",
        "bf16",
        "optimizer",
        "scheduler",
        "activation_checkpointing",
        "zero_force_ds_cpu_optimizer",
    }
)


class DeepSpeed(Framework):
    """Recognises its JSON by its keys, and any launch that names such a file."""

    name = "deepspeed"
    title = "DeepSpeed"
    rank = 10

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """Whether the launch of a program that no trainer claims names a DeepSpeed configuration."""
        from grpolint.frameworks.deepspeed.compose import config_word

        word = config_word(launch)
        return word is not None and word.pattern.endswith(".json")

    def recognise_document(self, document: Document) -> bool:
        """Whether the top level has a key that only DeepSpeed has, or several that it shares."""
        from grpolint.documents.nodes import Mapping as Tree

        root = document.root
        if document.language != "json" or not isinstance(root, Tree):
            return False
        keys = set(root.keys())
        if keys & {"train_loss", "log_history", "architectures", "model_type"}:
            return False
        if isinstance(root.get("zero_optimization"), Tree):
            return True
        return (bool(keys & _SURE) and bool(keys & _LIKELY)) or len(keys & _LIKELY) >= 4

    def recognise_python(self, document: PythonDocument) -> bool:
        """Whether the file hands a configuration to `deepspeed.initialize` or to the arguments of Transformers' Trainer."""
        from grpolint.frameworks.deepspeed.compose import arguments_call, initialize_call

        return initialize_call(document) is not None or arguments_call(document) is not None

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `deepspeed.compose`."""
        from grpolint.frameworks.deepspeed.compose import compose

        compose(run, world, document)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `deepspeed.facts`."""
        from grpolint.frameworks.deepspeed.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """Keys of JSON, or of the file of another program that sets them."""
        from grpolint.frameworks.flags import Syntax
        from grpolint.frameworks.spelling import spell

        return spell(key, value, setting, run, Syntax("deepspeed"), dashes=False)


FRAMEWORK = DeepSpeed()
