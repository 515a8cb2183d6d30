"""Megatron-LM: every argument of `megatron/training/arguments.py`.

The package ships the training code from 0.17 on; older releases are read at their tags. Since 0.16 a growing share of
the arguments is generated from the fields of dataclasses by `ArgumentGroupFactory`, which is followed here.
"""

from __future__ import annotations

import ast
from typing import Any

from harvest.astread import (
    ClassRef,
    Member,
    Unfoldable,
    annotation,
    field_record,
    fields,
    fold,
    lineage,
    members,
    parser_records,
    reference,
    text,
)
from harvest.commandline import Reader
from harvest.deprecation import said
from harvest.docstrings import attribute_docs
from harvest.records import Record, Tables
from harvest.tree import Module, Tree

PACKAGE = "megatron-core"
FIRST_PACKAGE = "0.17.0"
GIT = "NVIDIA/Megatron-LM"
TAG = r"core_v(?P<version>\d+\.\d+\.\d+)"
LICENCE = "BSD-3-Clause AND Apache-2.0"
INCLUDE = ("megatron/*.py",)

_ARGUMENTS = "megatron/training/arguments.py"


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """Table `train`: arguments by destination."""
    module = tree.module(_ARGUMENTS)
    if module is None:
        return {}
    start = "add_megatron_arguments" if "add_megatron_arguments" in module.functions else "parse_args"
    hooks = {"ArgumentGroupFactory": _factory, "build_group": _build}
    return {"train": parser_records(tree, _ARGUMENTS, start, hooks=hooks)}


def _factory(reader: Reader, module: Module, node: ast.Call, env: dict[str, Any]) -> Any:
    """`ArgumentGroupFactory(Class, exclude=[...])` as the class and the names left out; None if they do not fold."""
    try:
        owner = reference(reader.tree, module, node.args[0], env)
        excluded = [fold(reader.tree, module, item.value, env) for item in node.keywords if item.arg == "exclude"]
        excluded += [fold(reader.tree, module, item, env) for item in node.args[1:]]
    except Unfoldable:
        return None
    return (owner, frozenset(excluded[0] or ())) if excluded else (owner, frozenset())


def _build(reader: Reader, module: Module, node: ast.Call, env: dict[str, Any]) -> None:
    """`factory.build_group(...)`: one argument a field."""
    assert isinstance(node.func, ast.Attribute)
    made = node.func.value
    if isinstance(made, ast.Call):
        found = _factory(reader, module, made, env)
    else:
        found = env.get(made.id) if isinstance(made, ast.Name) else None
    if found is None or not isinstance(found[0], ClassRef):
        return
    owner, excluded = found
    declared: dict[str, tuple[ClassRef, ast.expr, ast.expr | None]] = {}
    docs: dict[str, str] = {}
    for part in reversed(lineage(reader.tree, owner)):
        docs.update(attribute_docs(part))
        for name, hint, value in fields(part):
            declared[name] = (part, hint, value)
    for name, (part, hint, value) in declared.items():
        if name not in excluded:
            record = _argument(reader.tree, part.module, name, hint, value)
            if record is not None:
                record.update(said(docs.get(name, "")))
                destination = record.pop("dest", name)
                reader.add(destination, record)


def _argument(tree: Tree, module: Module, name: str, hint: ast.expr, value: ast.expr | None) -> Record | None:
    """The argument that the factory makes of one field."""
    facts = annotation(tree, module, hint)
    record = field_record(tree, module, facts, value)
    if record is None:
        return None
    record.pop("aliases", None)
    if record.pop("required", False):
        record["default"] = None  # `default_factory()` of a field without one fails at start
    given = _given(tree, module, value)
    _named_members(tree, module, hint, value, record)
    spelled = f"--{name.replace('_', '-')}"
    record["flags"] = [spelled]
    if record.get("type") == "bool":
        record["nargs"] = 0
        if record.get("default") is not False:
            record["flags"] = [f"--no-{name.replace('_', '-')}", f"--disable-{name.replace('_', '-')}"]
            record["stores"] = dict.fromkeys(record["flags"], False)
    elif str(record.get("type", "")).startswith("list"):
        record["nargs"] = "+"
    _override(record, given)
    return record


def _named_members(tree: Tree, module: Module, hint: ast.expr, value: ast.expr | None, record: Record) -> None:
    """A field whose type is an enumeration is given by a member's name."""
    try:
        owner = reference(tree, module, hint)
        listed = members(tree, owner) if isinstance(owner, ClassRef) else None
        default = reference(tree, module, value) if value is not None else None
    except Unfoldable:
        return
    if listed is not None:
        record.update(type="str", choices=[member.name for member in listed])
        if isinstance(default, Member):
            record["default"] = default.name


def _given(tree: Tree, module: Module, value: ast.expr | None) -> dict[str, ast.expr | Any]:
    """`argparse_meta` in a field's metadata, folded where it folds."""
    if not isinstance(value, ast.Call):
        return {}
    for keyword in value.keywords:
        if keyword.arg != "metadata" or not isinstance(keyword.value, ast.Dict):
            continue
        for key, inner in zip(keyword.value.keys, keyword.value.values):
            if isinstance(key, ast.Constant) and key.value == "argparse_meta" and isinstance(inner, ast.Dict):
                return {
                    str(item.value): _folded(tree, module, content)
                    for item, content in zip(inner.keys, inner.values)
                    if isinstance(item, ast.Constant)
                }
    return {}


def _folded(tree: Tree, module: Module, node: ast.expr) -> Any:
    try:
        return fold(tree, module, node)
    except Unfoldable:
        return node


def _override(record: Record, given: dict[str, Any]) -> None:
    """What the field's own `argparse_meta` says comes before what its type says."""
    if "arg_names" in given:
        record["flags"] = list(given["arg_names"])
        record.pop("stores", None)
    if "dest" in given:
        record["dest"] = given["dest"]
    if "default" in given:
        _set_default(record, given["default"])
    action = given.get("action")
    if action in ("store_true", "store_false"):
        record.update(type="bool", nargs=0)
    if record.get("nargs") == 0 and given.keys() & {"arg_names", "action"}:
        stored = action != "store_false" if action else record.get("default") is False
        record["stores"] = dict.fromkeys(record["flags"], stored)
    elif "type" in given and isinstance(given["type"], ast.expr):
        name = text(given["type"]).rsplit(".", 1)[-1]
        record["type"] = name if name.isidentifier() else ""
    if "nargs" in given:
        record["nargs"] = given["nargs"]
    if isinstance(given.get("choices"), (list, tuple)):
        record["choices"] = list(given["choices"])


def _set_default(record: Record, value: Any) -> None:
    record.pop("default", None)
    if isinstance(value, ast.AST):
        record["computed"] = text(value)
    else:
        record.pop("computed", None)
        record["default"] = value
