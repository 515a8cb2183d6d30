"""The programs of NeMo-RL's examples: the configuration that each starts from, and how its command line names another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePath

from grpolint.launch import Word

__all__ = ["config_word", "default_config", "is_released", "overrides_of"]

_DEFAULTS = {
    "run_grpo": "grpo_math_1B",
    "run_grpo_math": "grpo_math_1B",
    "run_grpo_rm": "grpo_rm_1B",
    "run_grpo_sliding_puzzle": "grpo_sliding_puzzle",
    "run_grpo_single_controller": "grpo_math_1B",
    "run_vlm_grpo": "vlm_grpo_3B",
    "run_ppo": "ppo_math_1B",
    "run_sft": "sft",
    "run_vlm_sft": "sft",
    "run_dpo": "dpo",
    "run_rm": "rm",
    "run_distillation": "distillation_math",
    "run_distillation_math": "distillation_math",
    "run_xtoken_off_policy_distillation": "xtoken_off_policy_distillation",
}
"""Configuration that a program reads where `--config` names none."""


def default_config(program: str) -> str | None:
    """File name of the configuration that a program reads by itself, None for other programs."""
    name = _DEFAULTS.get(PurePath(program).name.removesuffix(".py"))
    return f"{name}.yaml" if name is not None else None


def config_word(argv: Sequence[Word]) -> Word | None:
    """The word that names the configuration."""
    for at, word in enumerate(argv):
        if word.text == "--config":
            return argv[at + 1] if at + 1 < len(argv) else None
        if word.prefix.startswith("--config="):
            return word.split_at(len("--config="))[1]
    return None


def overrides_of(argv: Sequence[Word]) -> list[Word]:
    """The words that are left for Hydra's overrides."""
    found: list[Word] = []
    skip = False
    for word in argv:
        if skip:
            skip = False
        elif word.text == "--config":
            skip = True
        elif not word.prefix.startswith("--"):
            found.append(word)
    return found


@lru_cache(maxsize=1)
def _released() -> frozenset[str]:
    from grpolint.catalog import config_files, versions

    return frozenset(name for version in versions("nemo-rl") for name in config_files("nemo-rl", version))


def is_released(path: str) -> bool:
    """Whether a path ends like one of the configurations that a release has in `examples/configs`."""
    parts = PurePath(path).parts
    return len(parts) > 1 and parts[-2] == "configs" and parts[-1] in _released()
