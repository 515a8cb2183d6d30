"""open-instruct: programs whose parsers take several dataclasses in one namespace."""

from __future__ import annotations

from harvest.astread import class_records, find_class
from harvest.records import Record, Tables
from harvest.tree import Tree

PACKAGE = None
GIT = "allenai/open-instruct"
TAG = r"v(?P<version>\d+\.\d+\.\d+)"
LICENCE = "Apache-2.0"
INCLUDE = (
    "open_instruct/*.py",
    "open_instruct/tools/*.py",
    "open_instruct/environments/*.py",
    "open_instruct/environments/tools/*.py",
)

_TOKENIZER = ("dataset_transformation", "TokenizerConfig")
_MODEL = ("model_utils", "ModelConfig")
_ROLLOUT = (
    _TOKENIZER,
    _MODEL,
    ("data_loader", "StreamingDataLoaderConfig"),
    ("data_loader", "VLLMConfig"),
    ("data_types", "ToolsConfig"),
    ("tools/utils", "ToolsConfig"),
    ("environments/tools/utils", "ToolsConfig"),
    ("environments/tools/utils", "EnvsConfig"),
)
_PROGRAMS = {
    "grpo_fast": (("grpo_utils", "ExperimentConfig"), ("grpo_utils", "GRPOExperimentConfig"), *_ROLLOUT),
    "grpo": (("grpo_utils", "GRPOExperimentConfig"), *_ROLLOUT),
    "finetune": (("finetune", "FlatArguments"), _TOKENIZER),
    "dpo": (("dpo_utils", "ExperimentConfig"), ("dpo_utils", "DPOExperimentConfig"), _TOKENIZER),
    "dpo_tune_cache": (("dpo_utils", "ExperimentConfig"), ("dpo_utils", "DPOExperimentConfig"), _TOKENIZER),
    "reward_modeling": (("reward_modeling", "Args"), _TOKENIZER, _MODEL),
}
_RESET = {"warmup_ratio": 0.0, "max_grad_norm": 1.0, "per_device_train_batch_size": 1}
"""What grpo_fast gives its parser as defaults where its options come from a class that other programs share."""


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """One table for each program that the release has."""
    found: Tables = {}
    for program, classes in _PROGRAMS.items():
        if f"open_instruct/{program}.py" not in tree:
            continue
        records: dict[str, Record] = {}
        for module, name in classes:
            path = f"open_instruct/{module}.py"
            owner = find_class(tree, path, name) if path in tree else None
            if owner is not None:
                records.update(class_records(tree, owner))
        if program.startswith("grpo") and "set_defaults(" in tree.text(f"open_instruct/{program}.py"):
            for key, value in _RESET.items():
                if key in records:
                    records[key] = {**records[key], "default": value}
        found[program] = records
    return found
