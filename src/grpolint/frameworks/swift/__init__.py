"""ms-swift: `swift rlhf`, `swift sft`, `megatron rlhf` and their siblings, `swift rollout`, and the YAML files they are given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.launch import Launch
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["ARGUMENTS", "FRAMEWORK", "Swift", "table_of_keys", "table_of_launch"]

ARGUMENTS: Mapping[str, str] = {
    "RLHFArguments": "rlhf",
    "SftArguments": "sft",
    "TrainArguments": "sft",
    "PretrainArguments": "pt",
    "MegatronRLHFArguments": "megatron_rlhf",
    "MegatronSftArguments": "megatron_sft",
    "MegatronTrainArguments": "megatron_sft",
    "RolloutArguments": "rollout",
}
"""The catalog's table by the class that a Python file makes; the first one that a file uses counts."""

_COMMAND = re.compile(r"(swift|megatron) (sft|rlhf|pt|rollout)")
_MODULE = re.compile(r"(?:.*[./])?swift[./]cli[./](_megatron[./])?(sft|rlhf|pt|rollout|main)(?:\.py)?")

_MARKS = frozenset(
    {
        "torch_dtype",
        "target_modules",
        "split_dataset_ratio",
        "dataset_num_proc",
        "load_from_cache_file",
        "max_length",
        "lora_rank",
        "attn_impl",
        "model_author",
        "dataloader_num_workers",
        "per_device_train_batch_size",
        "micro_batch_size",
        "num_generations",
        "max_completion_length",
        "padding_free",
        "reward_funcs",
        "external_plugins",
        "vllm_mode",
    }
)
_MEGATRON = frozenset({"micro_batch_size", "global_batch_size", "tensor_model_parallel_size", "lr"})
_FOREIGN = frozenset(
    {"stage", "finetuning_type", "base_model", "use_ray", "colocate_groups", "train", "rollout", "trl"}
)
"""Keys of other trainers, and of ms-swift's own Ray pipelines, which read their files otherwise."""


def table_of_launch(launch: Launch) -> str | None:
    """The catalog's table of the command that starts; None if it is none of ms-swift's that train or generate."""
    program = launch.program
    command = _COMMAND.fullmatch(program)
    if command is not None:
        return _table(command[1] == "megatron", command[2])
    module = _MODULE.fullmatch(program)
    if module is None:
        return None
    if module[2] != "main":
        return _table(module[1] is not None, module[2])
    named = launch.argv[0].text if launch.argv else None
    return _table(module[1] is not None, named) if named in ("sft", "rlhf", "pt", "rollout") else None


def _table(megatron: bool, command: str | None) -> str | None:
    if not megatron:
        return command
    return {"rlhf": "megatron_rlhf", "sft": "megatron_sft", "pt": "megatron_sft"}.get(command or "")


def table_of_keys(keys: set[str]) -> str | None:
    """The table of a configuration file with these keys, None unless it is surely ms-swift's."""
    if not keys & {"rlhf_type", "tuner_type", "train_type"} or "model" not in keys or keys & _FOREIGN:
        return None
    if len(keys & _MARKS) < 3:
        return None
    command = "rlhf" if "rlhf_type" in keys else "sft"
    return _table(bool(keys & _MEGATRON), command)


class Swift(Framework):
    """Recognises its commands by name, files by their keys, Python by its argument classes."""

    name = "ms-swift"
    title = "ms-swift"
    rank = 58

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """Whether a command or module of ms-swift starts that trains or serves rollouts."""
        return table_of_launch(launch) is not None

    def recognise_document(self, document: Document) -> bool:
        """Whether a YAML file has the kind of training or tuning and several arguments of ms-swift."""
        from grpolint.documents.nodes import Mapping as Tree

        root = document.root
        return document.language == "yaml" and isinstance(root, Tree) and table_of_keys(set(root.keys())) is not None

    def recognise_python(self, document: PythonDocument) -> bool:
        """Whether the file makes one of its argument classes."""
        from grpolint.frameworks.pycalls import calls, imports

        return imports(document, "swift") and next(calls(document, *ARGUMENTS), None) is not None

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `swift.compose`."""
        from grpolint.frameworks.swift.compose import compose

        compose(run, world, document)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `swift.facts`."""
        from grpolint.frameworks.swift.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """Flags have underscores and take their truth value."""
        from grpolint.frameworks.flags import Syntax
        from grpolint.frameworks.spelling import spell

        return spell(key, value, setting, run, Syntax("ms-swift", bool_values=True), dashes=False)


FRAMEWORK = Swift()
