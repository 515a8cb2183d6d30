"""LLaMA-Factory: `llamafactory-cli train`, its `train.py` under any launcher, and the YAML files they are given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.nodes import Mapping as Tree
    from grpolint.documents.python import PythonDocument
    from grpolint.launch import Launch
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["FRAMEWORK", "LlamaFactory", "file_word", "given_file"]

_SCRIPT = re.compile(r"(.*/)?(train|train_bash)\.py|(.*[./])?llamafactory[./](launcher|cli)(\.py)?")
_OWN = frozenset(
    ("stage", "finetuning_type", "cutoff_len", "template", "dataset_dir", "lora_target", "pref_beta", "overwrite_cache")
)
"""Arguments that its trainers share with few others; several make it sure."""


class LlamaFactory(Framework):
    """Recognises its command, its script by the arguments or the file it is given, and files by their keys."""

    name = "llamafactory"
    title = "LLaMA-Factory"
    programs = (r"(llamafactory-cli|llamafactory|lmf) train",)
    rank = 56

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """Whether its command trains, or a `train.py` gets its arguments or a file of its own."""
        if super().recognise_launch(launch, world):
            return True
        if _SCRIPT.fullmatch(launch.program) is None:
            return False
        root = given_file(launch, world)
        if root is not None:
            return _is_own(root)
        names = {word.prefix[2:].partition("=")[0] for word in launch.argv if word.prefix.startswith("--")}
        return len(names & _OWN) >= 3 and "finetuning_type" in names

    def recognise_document(self, document: Document) -> bool:
        """Whether a YAML file names a stage and a way of tuning, as all of its files for training do."""
        from grpolint.documents.nodes import Mapping as Tree

        return document.language == "yaml" and isinstance(document.root, Tree) and _is_own(document.root)

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `llamafactory.compose`."""
        from grpolint.frameworks.llamafactory.compose import compose

        compose(run, world, document)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `llamafactory.facts`."""
        from grpolint.frameworks.llamafactory.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """`key=value` behind a file, else a flag with underscores that takes its truth value."""
        from grpolint.frameworks.flags import Syntax
        from grpolint.frameworks.spelling import spell
        from grpolint.rules.api import show

        if setting is None and run.launch is not None and file_word(run.launch) is not None:
            return f"{key}={show(value)}"
        return spell(key, value, setting, run, Syntax("llamafactory", bool_values=True), dashes=False)


def file_word(launch: Launch) -> Any:
    """The word that names the configuration file: the first argument, behind `train` where a module takes that as a word."""
    words = launch.argv[1:] if launch.argv and launch.argv[0].text == "train" else launch.argv
    first = words[0] if words else None
    return first if first is not None and first.pattern.endswith((".yaml", ".yml", ".json")) else None


def given_file(launch: Launch, world: World) -> Tree | None:
    """The mapping that the file of a launch holds; None where it has none or it is not in the tree."""
    from grpolint.frameworks.asking import find_file
    from grpolint.frameworks.trees import yaml_root

    word = file_word(launch)
    source = find_file(world, word.pattern) if word is not None else None
    return yaml_root(source) if source is not None else None


def _is_own(root: Tree) -> bool:
    from grpolint.documents.nodes import Scalar

    keys = set(root.keys())
    if not {"stage", "finetuning_type", "model_name_or_path"} <= keys or len(keys & _OWN) < 3:
        return False
    stage = root.get("stage")
    text = (stage.raw if stage.plain else str(stage.value)) if isinstance(stage, Scalar) else ""
    return text in ("pt", "sft", "rm", "ppo", "dpo", "kto") and not keys & {"infer_backend", "export_dir"}


FRAMEWORK = LlamaFactory()
