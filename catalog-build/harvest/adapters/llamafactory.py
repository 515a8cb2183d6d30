"""LLaMA-Factory: five dataclasses in one namespace; what transformers' own class adds is not among them."""

from __future__ import annotations

from harvest.astread import class_records, find_class
from harvest.records import Record, Tables
from harvest.tree import Tree

PACKAGE = "llamafactory"
LICENCE = "Apache-2.0"
INCLUDE = ("llamafactory/hparams/*.py", "llamafactory/extras/constants.py")

_CLASSES = {
    "model_args": "ModelArguments",
    "data_args": "DataArguments",
    "training_args": "TrainingArguments",
    "finetuning_args": "FinetuningArguments",
    "generating_args": "GeneratingArguments",
}


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """What `train` reads, by name."""
    found: dict[str, Record] = {}
    for module, name in _CLASSES.items():
        path = f"llamafactory/hparams/{module}.py"
        owner = find_class(tree, path, name) if path in tree else None  # TrainingArguments came later
        if owner is not None:
            found.update(class_records(tree, owner))
    return {"train": found} if found else {}
