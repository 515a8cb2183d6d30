"""Which kind of TRL training a launched script does: by its options, by the YAML it is given, by its own text."""

from __future__ import annotations

import re
from functools import lru_cache

from grpolint.documents.source import Source
from grpolint.frameworks.asking import find_file
from grpolint.frameworks.trl import CONFIGS, kind_of_keys
from grpolint.launch import Launch, Word
from grpolint.regex import regex
from grpolint.world import World

__all__ = ["EXTENSIONS", "config_word", "kind_of_launch", "kind_of_text", "own_trainer", "parses", "script_source"]

EXTENSIONS = frozenset(
    [
        "benchmarks",
        "callbacks",
        "chat_template",
        "code_eval_scoring_mode",
        "code_eval_test_batch_size",
        "code_language",
        "code_provider",
        "cosine_max_len",
        "cosine_max_value_correct",
        "cosine_max_value_wrong",
        "cosine_min_value_correct",
        "cosine_min_value_wrong",
        "dataset_mixer",
        "dataset_mixture",
        "dataset_name",
        "dataset_prompt_column",
        "dataset_splits",
        "datasets",
        "e2b_router_url",
        "hub_model_revision",
        "ioi_provider",
        "max_completion_len",
        "morph_router_url",
        "num_completions_to_print",
        "overwrite_hub_revision",
        "parallel_code_exec_per_proc",
        "push_to_hub_revision",
        "repetition_max_penalty",
        "repetition_n_grams",
        "reward_funcs",
        "soft_punish_cache",
        "system_prompt",
        "wandb_entity",
        "wandb_log_unique_prompts",
        "wandb_project",
        "wandb_run_group",
        "preprocessing_num_workers",
        "auto_insert_empty_system_msg",
    ]
)
"""Options of classes that extend those of TRL: of open-r1, the alignment handbook and what grew from them."""

_IMPORT = regex(r"^[ \t]*(?:from\s+trl[\w.]*\s+import|import\s+trl\b)", re.MULTILINE)
_PARSER = regex(r"\b(?:TrlParser|HfArgumentParser|H4ArgumentParser)\s*\(")
_CLASS = regex(r"\b(" + "|".join(CONFIGS) + r")\b")
_CALL = regex(r"\b(?:" + "|".join(CONFIGS) + r")\s*\(")
_TRAINER = regex(r"\b(?:" + "|".join(name.replace("Config", "Trainer") for name in CONFIGS) + r")\b")
_SUBCLASS = regex(r"class\s+\w+\s*\(\s*(?:trl\.)?(" + "|".join(CONFIGS) + r")\s*\)")


def _makes_config(text: str) -> bool:
    return _CALL.search(text) is not None and _TRAINER.search(text) is not None


def parses(text: str) -> bool:
    """Whether a script reads TRL's options from its command line."""
    return _PARSER.search(text) is not None


_FROM_TRL = regex(r"^[ \t]*from\s+(?:trl|unsloth)[\w.]*\s+import\s+(\([^)]*\)|[^\n]*)", re.MULTILINE)
_ANY_IMPORT = regex(r"^[ \t]*(?:from\s+[\w.]+\s+)?import\s+(?:\([^)]*\)|[^\n]*)|class\s+\w+\s*\([^)]*\)", re.MULTILINE)
_TRAINS = regex(r"\b(\w*Trainer(?!Callback|Control|State)\w*)\s*\(")
_EXTENDS = regex(r"^[ \t]*class\s+(\w+)\s*\([^)]*Trainer\b", re.MULTILINE)
_NAMED = regex(r"\b[A-Z]\w*Trainer(?!Callback|Control|State)\w*")


def own_trainer(text: str) -> str | None:
    """The class that trains in a script in place of TRL's own trainer; None where that one does, or nobody can tell."""
    used = _ANY_IMPORT.sub("", text)
    imported = {name for found in _FROM_TRL.finditer(text) for name in re.findall(r"\w+", found[1])}
    if any(found[1] in imported for found in _TRAINS.finditer(used)):
        return None
    if any(found[0] in imported for found in _TRAINER.finditer(used)):
        return None
    if re.search(r"\btrl\.\w+Trainer\b", used) is not None:
        return None
    others = [found[1] for found in _TRAINS.finditer(used)] or _NAMED.findall(used)
    others = others or [found[1] for found in _EXTENDS.finditer(text)]
    return others[0] if others else None


def config_word(launch: Launch) -> Word | None:
    """The word that names the YAML of TrlParser: `--config FILE`, or `FILE.yaml` as the only argument."""
    words = launch.argv
    for at, word in enumerate(words):
        if word.text == "--config" and at + 1 < len(words):
            return words[at + 1]
        if word.prefix.startswith("--config="):
            return word.split_at(len("--config="))[1]
    if len(words) == 1 and words[0].pattern.endswith((".yaml", ".yml")):
        return words[0]
    return None


def script_source(launch: Launch, world: World) -> Source | None:
    """Text of the script that starts, None if it is not in the tree."""
    program = launch.program
    path = program if program.endswith(".py") else program.replace(".", "/") + ".py"
    return world.find(path)


@lru_cache(maxsize=64)
def kind_of_text(text: str) -> str | None:
    """Kind of training of a script that imports TRL and either parses a config's options or makes config and trainer."""
    if _IMPORT.search(text) is None or (_PARSER.search(text) is None and not _makes_config(text)):
        return None
    own = _SUBCLASS.search(text)
    if own is not None:
        return CONFIGS[own[1]]
    named = {found[1] for found in _CLASS.finditer(text)}
    return next((kind for name, kind in CONFIGS.items() if name in named), None)


def kind_of_launch(launch: Launch, world: World) -> str | None:
    """Kind of training of a launch that TRL's own commands do not start; None unless it is surely TRL."""
    names = {word.prefix[2:].split("=", 1)[0].replace("-", "_") for word in launch.argv if word.prefix.startswith("--")}
    word = config_word(launch)
    if word is not None:
        source = find_file(world, word.pattern)
        if source is not None:
            from grpolint.frameworks.trees import yaml_root

            root = yaml_root(source)
            names |= set(root.keys()) if root is not None else set()
    kind = kind_of_keys(names)
    if kind is not None:
        return kind
    script = script_source(launch, world)
    return kind_of_text(script.text) if script is not None else None
