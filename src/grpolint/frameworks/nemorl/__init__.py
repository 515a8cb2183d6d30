"""NeMo-RL: `examples/run_grpo.py` and its neighbours, programs on top of them, and the YAML files that they are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.nodes import Mapping as MappingNode
    from grpolint.documents.python import PythonDocument
    from grpolint.launch import Launch
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["FRAMEWORK", "NeMoRL", "is_configuration"]

_ALGORITHMS = ("grpo", "ppo", "sft", "dpo", "rm", "distillation")
_POLICY = (
    "dtensor_cfg",
    "megatron_cfg",
    "train_global_batch_size",
    "max_total_sequence_length",
    "sequence_packing",
    "generation",
)
_OPTIONS = ("policy.dtensor_cfg.", "policy.megatron_cfg.", "policy.train_", "policy.generation.", "policy.max_total_")
_SECTIONS = ("cluster.", "checkpointing.", "logger.", *(f"{name}." for name in _ALGORITHMS))


class NeMoRL(Framework):
    """Recognises the programs of its examples with a configuration or options of its own, and configurations."""

    name = "nemo-rl"
    title = "NeMo-RL"
    programs = (r"(.*/)?examples/(\w+/)?run_(grpo|sft|dpo|rm|ppo|distillation|vlm_grpo|vlm_sft|xtoken)\w*\.py",)
    rank = 62

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """A Python program whose `--config` is a configuration of NeMo-RL, whose options are, or that imports it."""
        if not launch.program.endswith(".py"):
            return False
        from grpolint.frameworks.nemorl.programs import config_word, default_config, is_released

        options = [word.prefix.lstrip("+~") for word in launch.argv]
        named = any(option.startswith(_OPTIONS) for option in options)
        if named and len({each for option in options for each in _SECTIONS if option.startswith(each)}) > 1:
            return True
        config = config_word(launch.argv)
        own = super().recognise_launch(launch, world) or default_config(launch.program) is not None
        if config is None and not own:
            return False
        if config is not None and config.text is not None:
            from grpolint.frameworks.trees import yaml_root

            source = world.find(config.text)
            root = yaml_root(source) if source is not None else None
            if root is not None:
                return is_configuration(root)
            if own and is_released(config.text):
                return True
        script = world.find(launch.program)
        if script is not None:
            return "nemo_rl" in script.text and "parse_hydra_overrides" in script.text
        return own and (named or any(option.startswith(_SECTIONS) for option in options))

    def recognise_document(self, document: Document) -> bool:
        """See `is_configuration`."""
        from grpolint.documents.nodes import Mapping as MappingNode

        return (
            document.language == "yaml" and isinstance(document.root, MappingNode) and is_configuration(document.root)
        )

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `nemorl.compose`."""
        from grpolint.documents.nodes import Document
        from grpolint.frameworks.nemorl.compose import compose_document, compose_launch

        if isinstance(document, Document):
            compose_document(run, world, document)
        else:
            compose_launch(run, world)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `nemorl.facts`."""
        from grpolint.frameworks.nemorl.facts import FACTS, RL

        return {**FACTS, **RL}

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """An override gets `++` where the configuration does not have the key: Hydra sets only what is there."""
        spelled = super().spell(key, value, setting, run)
        if setting is None and run.launch is not None and run.value(self.name, key) is None:
            return "++" + spelled
        return spelled


def is_configuration(root: MappingNode) -> bool:
    """Whether a YAML is a configuration: a complete one by its policy, one that inherits by the sections that it changes.

    Hydra's own lists of defaults hold no file names with a suffix, and are no plain text.
    """
    from grpolint.documents.nodes import Mapping as MappingNode
    from grpolint.documents.nodes import Scalar, Sequence

    sections = {name for name in (*_ALGORITHMS, "loss_fn", "cluster", "checkpointing", "policy") if root.get(name)}
    policy = root.get("policy")
    own = sum(policy.get(name) is not None for name in _POLICY) if isinstance(policy, MappingNode) else 0
    if isinstance(root.get("worker"), MappingNode) or isinstance(root.get("actor"), MappingNode):
        return False
    if sections.intersection(_ALGORITHMS) and own >= 2:
        return True
    parents = root.get("defaults")
    items = parents.items if isinstance(parents, Sequence) else [parents] if parents is not None else []
    if not items or not all(
        isinstance(item, Scalar) and str(item.raw if item.plain else item.value).endswith(".yaml") for item in items
    ):
        return False
    if own >= 2:
        return True
    return len(sections) >= 2 and (own > 0 or bool(sections.intersection(_ALGORITHMS)) or "cluster" in sections)


FRAMEWORK = NeMoRL()
