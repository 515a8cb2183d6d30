"""axolotl: `axolotl train x.yaml`, `accelerate launch -m axolotl.cli.train x.yaml`, and its YAML files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["FRAMEWORK", "Axolotl"]

_MARKS = frozenset(
    {
        "micro_batch_size",
        "gradient_accumulation_steps",
        "sequence_len",
        "num_epochs",
        "max_steps",
        "adapter",
        "lora_r",
        "lr_scheduler",
        "learning_rate",
        "load_in_8bit",
        "load_in_4bit",
        "val_set_size",
        "dataset_prepared_path",
        "sample_packing",
        "saves_per_epoch",
        "special_tokens",
        "chat_template",
        "rl",
        "output_dir",
        "optimizer",
    }
)
"""Keys that its files have; `base_model` and the data sets make them its own."""


class Axolotl(Framework):
    """Recognises its commands and modules, and files by their keys."""

    name = "axolotl"
    title = "axolotl"
    programs = (r"axolotl (train|vllm-serve)", r"(.*[./])?axolotl[./]cli[./](train|vllm_serve)(\.py)?")
    rank = 57

    def recognise_document(self, document: Document) -> bool:
        """Whether a YAML file names a base model and several of its options; more of them where it names no data."""
        from grpolint.documents.nodes import Mapping as Tree

        root = document.root
        keys = set(root.keys()) if document.language == "yaml" and isinstance(root, Tree) else set()
        if "base_model" not in keys or not keys & {"micro_batch_size", "sequence_len"}:
            return False
        return len(keys & _MARKS) >= (5 if keys & {"datasets", "pretraining_dataset"} else 7)

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `axolotl.compose`."""
        from grpolint.frameworks.axolotl.compose import compose

        compose(run, world, document)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `axolotl.facts`."""
        from grpolint.frameworks.axolotl.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """A line of the file; a flag with dashes where it is given on the command line."""
        from grpolint.frameworks.spelling import spell

        return spell(key, value, setting, run, dashes=True)


FRAMEWORK = Axolotl()
