"""vLLM on Ascend: the keys of vLLM's `additional_config` that the plugin reads, and its environment variables."""

from __future__ import annotations

import ast

from harvest.adapters.vllm import environment
from harvest.astread import Unfoldable, fold, signature, text
from harvest.records import Record, Tables
from harvest.tree import Module, Tree

PACKAGE = "vllm-ascend"
LICENCE = "Apache-2.0"
INCLUDE = ("vllm_ascend/ascend_config.py", "vllm_ascend/envs.py")

_CONFIG = "vllm_ascend/ascend_config.py"
_ENV = "vllm_ascend/envs.py"
_ROOT = "additional_config"


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """Tables `additional_config` (dotted keys for its sections) and `env`."""
    found: Tables = {"env": environment(tree, _ENV)}
    module = tree.module(_CONFIG)
    if module is not None:
        found[_ROOT] = _keys(tree, module)
    return found


def _keys(tree: Tree, module: Module) -> dict[str, Record]:
    """Every `additional_config.get("key", default)`, and what is read of the sections that are got so."""
    found = _reads(tree, module, module.tree, {_ROOT})
    sections = {name for name in found if name.endswith("_config")}
    for section in sorted(sections):
        for name, record in _reads(tree, module, module.tree, {section}).items():
            found.setdefault(f"{section}.{name}", record)
    for node in ast.walk(module.tree):
        owner = module.classes.get(text(node.func)) if isinstance(node, ast.Call) else None
        if owner is None or not isinstance(node, ast.Call):
            continue
        spread = [text(item.value) for item in node.keywords if item.arg is None]
        given = [text(item) for item in node.args] + [text(item.value) for item in node.keywords if item.arg]
        for section in sections.intersection(spread):
            inner = _parameters(tree, module, owner)
            found.update({f"{section}.{name}": record for name, record in inner.items()})
        for section in sections.intersection(given):
            inner = {
                **_declared(tree, module, owner),
                **_reads(tree, module, owner, set(_parameters(tree, module, owner))),
            }
            found.update({f"{section}.{name}": record for name, record in inner.items()})
    return found


def _reads(tree: Tree, module: Module, within: ast.AST, mappings: set[str]) -> dict[str, Record]:
    """Keys that `.get` reads from the mappings of these names, with its default."""
    found: dict[str, Record] = {}
    for node in ast.walk(within):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get"):
            continue
        first = node.args[0] if node.args else None
        if text(node.func.value).rsplit(".", 1)[-1] in mappings and isinstance(first, ast.Constant):
            found.setdefault(str(first.value), _record(tree, module, node.args[1] if len(node.args) > 1 else None))
    return found


def _record(tree: Tree, module: Module, default: ast.expr | None) -> Record:
    record = Record(source=module.path)
    if default is None:
        return Record(source=module.path, default=None)
    try:
        record["default"] = fold(tree, module, default)
    except Unfoldable:
        record["computed"] = text(default)
        return record
    if record["default"] is not None:
        record["type"] = type(record["default"]).__name__
    return record


def _parameters(tree: Tree, module: Module, owner: ast.ClassDef) -> dict[str, Record]:
    """Parameters of a class."""
    for node in owner.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            return {name: record for name, record in signature(tree, module, node).items() if name != "self"}
    return {}


def _declared(tree: Tree, module: Module, owner: ast.ClassDef) -> dict[str, Record]:
    """Keys of a class that holds its defaults in `_defaults`."""
    for node in owner.body:
        if isinstance(node, ast.Assign) and text(node.targets[0]) == "_defaults" and isinstance(node.value, ast.Dict):
            return {
                str(key.value): _record(tree, module, value)
                for key, value in zip(node.value.keys, node.value.values)
                if isinstance(key, ast.Constant)
            }
    return {}
