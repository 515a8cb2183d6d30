"""slime: its own arguments, on top of Megatron's and SGLang's.

`train` holds what slime declares, including arguments of Megatron whose default it resets. SGLang's server arguments are
taken over with the prefix `sglang-`; `sglang` lists the few that are not. `forced` holds the Megatron arguments that
slime sets after parsing, whatever was given.
"""

from __future__ import annotations

import ast
from typing import Any

from harvest.astread import Unfoldable, fold, parser_records
from harvest.commandline import Reader
from harvest.records import Record, Tables
from harvest.tree import Module, Tree

PACKAGE = None
GIT = "THUDM/slime"
TAG = r"v(?P<version>\d+\.\d+\.\d+(\.post\d+)?)"
LICENCE = "Apache-2.0"
INCLUDE = ("slime/utils/*.py", "slime/backends/*arguments.py")

_OWN = "slime/utils/arguments.py"
_SGLANG = "slime/backends/sglang_utils/arguments.py"
_MEGATRON = "slime/backends/megatron_utils/arguments.py"


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """Tables `train`, `sglang` and `forced`."""
    found: Tables = {
        "train": parser_records(
            tree, _OWN, "get_slime_extra_args_provider.add_slime_arguments", hooks={"reset_arg": _reset}
        )
    }
    module = tree.module(_OWN)
    if module is not None and "_pre_parse_mode" in module.functions:
        found["train"].update(parser_records(tree, _OWN, "_pre_parse_mode"))
    if _SGLANG in tree:
        found["train"].update(parser_records(tree, _SGLANG, "add_sglang_arguments"))
        found["sglang"] = {name: Record(removed=True, source=_SGLANG) for name in _left_out(tree)}
    found["forced"] = _forced(tree)
    return found


def _reset(reader: Reader, module: Module, node: ast.Call, env: dict[str, Any]) -> None:
    """`reset_arg(parser, "--x", ...)`: a new default for Megatron's argument, or a new argument."""
    reader.argument(module, ast.Call(func=node.func, args=node.args[1:], keywords=node.keywords), env)


def _left_out(tree: Tree) -> list[str]:
    module = tree.module(_SGLANG)
    assert module is not None
    for node in ast.walk(module.tree):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == "skipped_args"
        ):
            return [str(name) for name in fold(tree, module, node.value)]
    return []


def _forced(tree: Tree) -> dict[str, Record]:
    """Constants that are assigned without a condition when Megatron's defaults are set."""
    module = tree.module(_MEGATRON)
    found: dict[str, Record] = {}
    for name in ("set_default_megatron_args", "_set_default_megatron_args"):
        function = module.functions.get(name) if module is not None else None
        for node in function.body if function is not None else ():
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute) and module is not None:
                try:
                    value = fold(tree, module, node.value)
                except Unfoldable:
                    continue
                found[node.targets[0].attr] = Record(default=value, source=_MEGATRON)
    return found
