"""verl: Hydra's configuration trees, composed, and the dataclasses that their nodes are made into."""

from __future__ import annotations

import ast
import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from harvest.astread import ClassRef, class_records
from harvest.records import Record, Tables
from harvest.tree import Tree
from harvest.yamltree import facts, leaves, yaml_record

PACKAGE = "verl"
LICENCE = "Apache-2.0"
INCLUDE = ("verl/*.py", "verl/*.yaml", "verl/*.yml")

_TREE = "verl/trainer/config/"


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """One table for each primary configuration (`ppo_trainer` ...): dotted keys as an override writes them.

    Keys that only the dataclass of a node has carry `plus`: they have a default, but no place in the composed tree.
    Table `dataclass` has the fields of every class that some configuration names as `_target_`, by
    `<target>.<field>`, for trees that are composed in other ways.
    """
    found: Tables = {}
    targets: dict[str, dict[str, Record]] = {}
    with _extracted(tree) as folder:
        for path in _primaries(tree):
            composed, sources = _compose(tree, folder, path)
            flat = dict(leaves(composed))
            options = {key: yaml_record(value, sources.get(key, path)) for key, value in flat.items()}
            for key, value in flat.items():
                if key.split(".")[-1] == "_target_" and isinstance(value, str):
                    if value not in targets:
                        targets[value] = _target_fields(tree, value)
                    _join(options, composed, key[: -len("_target_")], targets[value])
            found[Path(path).stem] = options
    for path in _configs(tree):
        for target in _named_targets(yaml.safe_load(tree.text(path))):
            if target not in targets:
                targets[target] = _target_fields(tree, target)
    found["dataclass"] = {
        f"{target}.{field}": record for target, records in targets.items() for field, record in records.items()
    }
    return found


def files(tree: Tree, version: str) -> dict[str, str]:  # noqa: ARG001
    """Configuration files, by path within `verl/trainer/config`, the others by their whole path."""
    return {path.removeprefix(_TREE): facts(tree.text(path)) for path in _configs(tree)}


def _configs(tree: Tree) -> list[str]:
    """Configuration files that Hydra composes; snapshots of composed ones (`_generated_...`) are left out."""
    return [
        path
        for path in tree.paths("verl/", ".yaml")
        if "/config/" in path and not path.rsplit("/", 1)[-1].startswith("_")
    ]


def _primaries(tree: Tree) -> list[str]:
    """The configurations at the top of verl's own tree that a program starts with.

    The experimental ones are those with a few keys more; they can be composed from `files`.
    """
    return [
        path
        for path in _configs(tree)
        if path.rsplit("/", 1)[0] + "/" == _TREE
        and (Path(path).stem.endswith(("trainer", "trainer_engine")) or Path(path).stem in ("evaluation", "generation"))
    ]


@contextlib.contextmanager
def _extracted(tree: Tree) -> Iterator[Path]:
    """The configuration files on disk, for Hydra; search paths like `file://verl/trainer/config` start in the folder."""
    with tempfile.TemporaryDirectory() as name:
        for path in _configs(tree):
            place = Path(name, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            # The package is not installed here; its place on disk serves the same search path.
            place.write_text(tree.text(path).replace("pkg://verl.trainer.config", f"file://{_TREE}"), encoding="utf-8")
        before = Path.cwd()
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def _compose(tree: Tree, folder: Path, path: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The composed tree, and for each dotted key the file that decides it."""
    from hydra.core.global_hydra import GlobalHydra
    from hydra.types import RunMode
    from omegaconf import OmegaConf

    from hydra import compose, initialize_config_dir

    name = Path(path).stem
    home = path.rsplit("/", 1)[0] + "/"
    with initialize_config_dir(str(folder / home), version_base=None):
        composed = OmegaConf.to_container(compose(name), resolve=False)
        loader = GlobalHydra.instance().config_loader()
        listed = loader.compute_defaults_list(name, [], RunMode.RUN).defaults
    sources: dict[str, str] = {}
    for item in listed:
        if item.config_path is None or item.config_path.startswith("hydra/"):
            continue
        source = next(
            (root + item.config_path + ".yaml" for root in (home, _TREE) if root + item.config_path + ".yaml" in tree),
            "",
        )
        content = yaml.safe_load(tree.text(source)) if source else None
        if isinstance(content, dict):
            content.pop("defaults", None)
            package = f"{item.package}." if item.package else ""
            sources.update((package + key, source) for key, _ in leaves(content))
    assert isinstance(composed, dict)
    return {str(key): value for key, value in composed.items()}, sources


def _target_fields(tree: Tree, target: str) -> dict[str, Record]:
    """Fields of the dataclass under a dotted name; empty if it is not the release's own."""
    owner, _, name = target.rpartition(".")
    module = tree.dotted(owner)
    found = tree.find(module, name) if module is not None else None
    if found is None or not isinstance(found[1], ast.ClassDef):
        return {}
    return class_records(tree, ClassRef(found[0], found[1]))


def _join(options: dict[str, Record], composed: dict[str, Any], prefix: str, fields: dict[str, Record]) -> None:
    """Adds what a node's dataclass knows: types and choices to keys of the tree, and the keys that it alone has."""
    for field, known in fields.items():
        key = prefix + field
        if key in options:
            record = options[key]
            if _fits(record, known.get("type", "")):
                record.update({name: known[name] for name in ("type", "choices", "nullable") if known.get(name)})
            if known.get("deprecated"):
                record["deprecated"] = True
        elif not isinstance(_at(composed, key), dict):
            options[key] = {**known, "plus": True}


def _at(node: Any, key: str) -> Any:
    for part in key.split("."):
        if not isinstance(node, dict) or part not in node:
            return None
        node = node[part]
    return node


def _fits(record: Record, declared: str) -> bool:
    """Whether a declared type admits the value that the tree has."""
    value = record.get("default")
    if value is None:
        return bool(declared)
    kinds = [part.split("[")[0] for part in declared.split(" | ")]
    kind = type(value).__name__
    return kind in kinds or (kind == "int" and "float" in kinds)


def _named_targets(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("_target_"), str):
            yield node["_target_"]
        for value in node.values():
            yield from _named_targets(value)
