"""TRL: its command line, scripts with its parsers and configs, YAML recipes, `trl vllm-serve`."""

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

__all__ = ["CONFIGS", "FRAMEWORK", "TRL", "kind_of_keys"]

CONFIGS: Mapping[str, str] = {
    "GRPOConfig": "grpo",
    "RLOOConfig": "rloo",
    "SFTConfig": "sft",
    "DPOConfig": "dpo",
    "KTOConfig": "kto",
    "RewardConfig": "reward",
    "DistillationConfig": "distillation",
}
"""Kind of training by the class that configures it; the first one that a file uses counts."""

_COMMANDS = r"trl (grpo|rloo|sft|dpo|kto|reward|distillation|vllm-serve)"
_SCRIPTS = r"(.*[./])?trl[./]scripts[./](grpo|rloo|sft|dpo|kto|reward|vllm_serve)(\.py)?"

_GRPO = frozenset(
    {
        "num_generations",
        "max_completion_length",
        "scale_rewards",
        "vllm_mode",
        "use_vllm",
        "vllm_gpu_memory_utilization",
        "vllm_server_host",
        "vllm_server_port",
        "vllm_device",
        "vllm_max_model_len",
        "vllm_tensor_parallel_size",
        "reward_funcs",
        "reward_weights",
        "steps_per_generation",
        "num_generations_eval",
        "mask_truncated_completions",
        "log_completions",
    }
)
"""Options of GRPO in TRL. Other trainers share single names, so several are asked for."""

_TRAINING = frozenset(
    {
        "per_device_train_batch_size",
        "gradient_accumulation_steps",
        "gradient_checkpointing",
        "learning_rate",
        "num_train_epochs",
        "max_steps",
        "output_dir",
        "lr_scheduler_type",
        "warmup_ratio",
        "logging_steps",
        "save_strategy",
        "bf16",
        "report_to",
    }
)
"""Arguments of Transformers' Trainer."""

_PREFERENCE = frozenset(
    {
        "loss_type",
        "precompute_ref_log_probs",
        "label_smoothing",
        "f_divergence_type",
        "rpo_alpha",
        "use_weighting",
        "sync_ref_model",
        "ref_model_init_kwargs",
        "reference_free",
    }
)
"""Options of DPO in TRL, of which one stands beside `beta`."""

_OTHER_PREFERENCE = frozenset({"cpo_alpha", "simpo_gamma", "desirable_weight", "undesirable_weight", "num_generations"})
"""Options of CPO, KTO and the trainers that sample."""

_FOREIGN = frozenset(
    {
        "rlhf_type",
        "train_type",
        "tuner_type",
        "finetuning_type",
        "stage",
        "base_model",
        "dataset_mixer_list",
        "trl",
        "rl",
        "defaults",
        "cutoff_len",
        "template",
        "adv_estimator",
        "rl_algorithm",
        "training_backend",
        "with_tracking",
        "checkpointing_steps",
        "use_slow_tokenizer",
    }
)
"""Keys of other trainers whose files look alike."""


def kind_of_keys(keys: set[str]) -> str | None:
    """Kind of training that a set of option names belongs to, None unless it is surely TRL."""
    if keys & _FOREIGN or len(keys & _TRAINING) < 2:
        return None
    if len(keys & _GRPO) >= 2 and keys & {"num_generations", "model_name_or_path"}:
        return "grpo"
    named = "model_name_or_path" in keys and bool(keys & {"dataset_name", "dataset_mixture", "datasets"})
    if named and keys & {"packing", "max_length", "max_seq_length"} and not keys & {"beta", "num_generations"}:
        return "sft"
    if named and "beta" in keys and keys & _PREFERENCE and not keys & _OTHER_PREFERENCE:
        return "dpo"
    return None


class TRL(Framework):
    """Recognises launches by command, by options and by the script's own text; files by their keys and calls."""

    name = "trl"
    title = "TRL"
    programs = (_COMMANDS, _SCRIPTS)
    rank = 50

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """Whether TRL's command runs, or a script that is TRL's by its options, its YAML or its own text."""
        if super().recognise_launch(launch, world):
            return True
        if not re.fullmatch(r".*\.py|[\w.]+", launch.program):
            return False
        from grpolint.frameworks.trl.recognise import kind_of_launch

        return kind_of_launch(launch, world) is not None

    def recognise_document(self, document: Document) -> bool:
        """Whether a YAML file has several options of TRL's GRPO and of the Trainer, and none of a lookalike."""
        from grpolint.documents.nodes import Mapping as Tree

        root = document.root
        return document.language == "yaml" and isinstance(root, Tree) and kind_of_keys(set(root.keys())) is not None

    def recognise_python(self, document: PythonDocument) -> bool:
        """Whether the file makes one of TRL's configs."""
        from grpolint.frameworks.pycalls import calls, imports

        return imports(document, "trl", "unsloth") and next(calls(document, *CONFIGS), None) is not None

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `trl.compose`."""
        from grpolint.frameworks.trl.compose import compose

        compose(run, world, document)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `trl.facts`."""
        from grpolint.frameworks.trl.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """Flags have underscores and take their truth value, which works for every boolean of TRL."""
        from grpolint.frameworks.flags import Syntax
        from grpolint.frameworks.spelling import spell

        if (setting is None and run.launch is not None) or (setting is not None and setting.form == "flag"):
            value = str(value) if isinstance(value, bool) else value
        return spell(key, value, setting, run, Syntax("trl", bool_values=True), dashes=False)


FRAMEWORK = TRL()
