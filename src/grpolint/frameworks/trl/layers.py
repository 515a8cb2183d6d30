"""TRL's configs are Transformers' TrainingArguments with more fields."""

from __future__ import annotations

from grpolint.catalog import Option, Table, table
from grpolint.frameworks.asking import truth
from grpolint.frameworks.flags import Syntax
from grpolint.frameworks.layers import Layers as Both
from grpolint.frameworks.trl import CONFIGS, unsloth
from grpolint.run import Run
from grpolint.values import Default, Unknown, Value, plain
from grpolint.world import World

__all__ = ["Layers"]

_OWN_TABLES = ("model_config", "script_arguments", "dataset_mixture")
_CLASSES = {kind: name for name, kind in CONFIGS.items()}


class Layers(Both):
    """The settings of TRL and Transformers in one run, and where each option goes.

    `kind` is the trainer (`grpo`). With `launcher` the options of `accelerate launch` are recognised too, as TRL's own
    commands pass them on.
    """

    def __init__(self, run: Run, world: World, kind: str, *, launcher: bool = False) -> None:
        super().__init__(run, world, "trl", (_CLASSES.get(kind, kind), *_OWN_TABLES))
        self.kind = kind
        self.trl, self.transformers = self.own, self.below
        found = table("accelerate", "launch", world.version("accelerate").text) if launcher else None
        self._launcher: tuple[Table, ...] = (found,) if found is not None else ()

    def syntax(self) -> Syntax:
        """How HfArgumentParser and TrlParser read a command line."""
        aliases = {"config": "config", "accelerate_config": "accelerate_config"}
        return Syntax("trl", self.tables, self._launcher, aliases, bool_values=True, abbreviations=True)

    def decided(self, key: str, option: Option | None) -> Value | None:
        """TRL turns `bf16` on where nobody says anything and `fp16` is off; Unsloth has defaults of its own."""
        if "unsloth" in self.run.settings:
            value = unsloth.decided(self.run, key)
            if value is not None:
                return value
        if key != "bf16" or option is None:
            return None
        half = self.transformers.value("fp16")
        if isinstance(half, Unknown) or not isinstance(option.default, Default) or option.default.value is not None:
            return half if isinstance(half, Unknown) else option.default
        return Default(not truth(plain(half) or False), option.framework, option.version, option.source)
