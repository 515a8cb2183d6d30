"""Hydra itself, asked for the same composition: the released configuration trees written to a folder, and generators."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from grpolint.catalog import config_files
from grpolint.frameworks.hydra.compose import Composition, compose, compose_base, split_groups
from grpolint.frameworks.hydra.defaults import ComposeError, SearchPath
from grpolint.frameworks.hydra.overrides import OverrideError, parse_override
from grpolint.frameworks.hydra.sources import ReleaseSource
from grpolint.frameworks.hydra.tree import leaves, plain
from hydra import compose as hydra_compose
from hydra import initialize_config_dir

REFUSED = "refused"
TRAINER = "verl/trainer/config"


def materialise(version: str, folder: Path) -> Path:
    """Write the configuration tree of a release of verl below `folder`; search paths become absolute."""
    root = folder / version
    if not root.is_dir():
        for path, file in config_files("verl", version).items():
            target = root / (path if path.startswith("verl/") else f"{TRAINER}/{path}")
            target.parent.mkdir(parents=True, exist_ok=True)
            text = file.text
            for name in ("pkg://verl.trainer.config", "file://verl/trainer/config"):
                text = text.replace(name, f"file://{root / TRAINER}")
            target.write_text(text)
    return root


def primaries(version: str) -> list[tuple[str, str]]:
    """Folder and name of every primary configuration of a release."""
    found = []
    for path in sorted(config_files("verl", version)):
        folder, _, name = (path if path.startswith("verl/") else f"{TRAINER}/{path}").rpartition("/")
        if folder.endswith("/config") and not name.startswith("_generated"):
            found.append((folder, name.removesuffix(".yaml")))
    return found


def search_path(version: str, folder: str = TRAINER) -> SearchPath:
    """Our search path for a folder of a release, with verl's own folder behind it."""
    roots = ["" if folder == TRAINER else folder, *([] if folder == TRAINER else [""])]
    return SearchPath([ReleaseSource("verl", version, root) for root in roots])


def ours(search: SearchPath, primary: str, overrides: list[str]) -> Composition | None:
    """Our composition, None if we refuse it."""
    try:
        parsed = [parse_override(text) for text in overrides]
        groups, keys = split_groups(search, parsed)
        made = compose(compose_base(search, primary, groups), keys)
    except (ComposeError, OverrideError):
        return None
    return None if made.refused or made.sweeps else made


def theirs(primary: str, overrides: list[str]) -> Any:
    """Hydra's composition in the folder that is initialised, or `REFUSED`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return hydra_compose(primary, overrides)
        except Exception:  # noqa: BLE001 - Hydra raises errors of many kinds
            return REFUSED


def data(config: Any) -> Any:
    """Hydra's configuration as plain data, interpolations as text."""
    return config if config is REFUSED else OmegaConf.to_container(config)


def our_data(made: Composition | None) -> Any:
    """Our composition in the same form."""
    return REFUSED if made is None else plain(made.tree)


def initialised(folder: Path) -> Any:
    """The context in which Hydra composes from a folder."""
    return initialize_config_dir(str(folder), version_base=None)


def same(left: Any, right: Any) -> bool:
    """Equality in which True is not 1 and nan equals nan."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right) or repr(left) == repr(right) == "nan"


def difference(left: Any, right: Any, path: str = "") -> list[str]:
    """Where two configurations differ, for the message of a failing test."""
    if isinstance(left, dict) and isinstance(right, dict):
        found = []
        for key in dict.fromkeys([*left, *right]):
            if key not in left or key not in right:
                found.append(f"{path}{key} only in {'theirs' if key not in left else 'ours'}")
            else:
                found.extend(difference(left[key], right[key], f"{path}{key}."))
        return found
    return [] if same(left, right) else [f"{path} {left!r} {right!r}"]


VALUES = ["1", "2", "1e-6", "true", "null", "abc", "[1,2]", "{a:1}", "{}", "[]", "'x y'", "???", "", "0.5", "-1",
          "${trainer.nnodes}", "${oc.env:NOT_SET,3}", "{strategy: fsdp2}", "[{a: 1}]", "${no_such_key}", "${.lr}",
          "1,2", "${"]  # fmt: skip
GROUPS = ["model_engine=megatron", "model_engine=dp", "model_engine=no_such", "rollout@actor_rollout_ref.rollout=rollout",
          "~critic", "~distillation", "+optim@foo.bar=fsdp", "+engine=fsdp", "critic=megatron_critic",
          "critic=dp_critic", "ref@actor_rollout_ref.ref=megatron_ref", "optim@actor_rollout_ref.actor.optim=megatron",
          "~reward=reward", "~reward=x", "++reward=x", "no_group@a.b=c", "actor=dp_actor", "+model@zz=hf_model",
          "~ref@actor_rollout_ref.ref", "data=null", "data=legacy_data", "rollout=no_such", "+actor/x=2",
          "hydra.run.dir=/tmp/x", "actor@actor_rollout_ref.actor=megatron_actor",
          "npu_profile@trainer.npu_profile=npu_profile", "+data@second=legacy_data"]  # fmt: skip


class Generator:
    """Random override lists over the keys of a composed configuration, most of them with one fault at most."""

    def __init__(self, made: Composition, seed: int) -> None:
        self.random = random.Random(seed)
        paths = [path for path, _ in leaves(made.tree)]
        self.leaves = [".".join(path) for path in paths]
        self.branches = sorted({".".join(path[:cut]) for path in paths for cut in range(1, len(path))})

    def overrides(self) -> list[str]:
        """One list."""
        return [self.override() for _ in range(self.random.randint(1, 4))]

    def override(self) -> str:
        """One override."""
        draw = self.random
        chance = draw.random()
        if chance < 0.12:
            return draw.choice(GROUPS)
        if chance < 0.55:
            return f"{draw.choice(['', '', '++'])}{draw.choice(self.leaves)}={draw.choice(VALUES)}"
        kind = draw.random()
        if kind < 0.4:
            key = draw.choice(self.branches) + draw.choice([".new", ".new.deeper", ".lr", ".0"])
        elif kind < 0.6:
            key = draw.choice(self.branches)
        elif kind < 0.8:
            key = draw.choice(self.leaves) + draw.choice(["x", ".y", ".0", ".zz.q"])
        else:
            key = draw.choice(self.leaves)
        mark = draw.choice(["", "+", "+", "++", "++", "~"])
        return f"~{key}" if mark == "~" and draw.random() < 0.7 else f"{mark}{key}={draw.choice(VALUES)}"


__all__ = [
    "REFUSED", "TRAINER", "Generator", "data", "difference", "initialised", "materialise", "our_data",
    "ours", "primaries", "same", "search_path", "theirs",
]  # fmt: skip
