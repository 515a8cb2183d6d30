"""vLLM: engine arguments, the server's own arguments, environment variables.

`engine` holds the fields of EngineArgs (also the keyword arguments of `LLM`) with the command line's spellings; since
0.8.3 their defaults point into the configuration classes. `serve` holds what only the OpenAI server takes, `env` the
environment variables.
"""

from __future__ import annotations

import ast

from harvest.astread import Unfoldable, annotation, field_record, fields, find_class, lineage, parser_records
from harvest.deprecation import said
from harvest.docstrings import attribute_docs
from harvest.environment import getenv_record
from harvest.fold import ClassRef, members, reference, text
from harvest.records import Record, Tables
from harvest.tree import Module, Tree

PACKAGE = "vllm"
LICENCE = "Apache-2.0"
INCLUDE = (
    "vllm/config.py",
    "vllm/config/*.py",
    "vllm/engine/arg_utils.py",
    "vllm/engine/async_llm_engine.py",
    "vllm/entrypoints/*cli_args.py",
    "vllm/entrypoints/chat_utils.py",
    "vllm/entrypoints/constants.py",
    "vllm/envs.py",
    "vllm/v1/attention/backends/registry.py",
    "vllm/utils/__init__.py",
    "vllm/utils.py",
)

_ENGINE = "vllm/engine/arg_utils.py"
_SERVER = "make_arg_parser"  # has moved between modules named `cli_args` under entrypoints
_ENV = "vllm/envs.py"
_INDIRECTION = 6


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """Tables `engine`, `serve` and `env`."""
    found: Tables = {"env": environment(tree, _ENV)}
    engine = find_class(tree, _ENGINE, "AsyncEngineArgs")
    if engine is not None:
        found["engine"] = _with_flags(_class_options(tree, engine), _parser(tree, engine))
    modules = (tree.module(path) for path in tree.paths("vllm/entrypoints/", "cli_args.py"))
    server = next((module.path for module in modules if module is not None and _SERVER in module.functions), None)
    if server is not None:
        found["serve"] = _server(tree, server, found.get("engine", {}))
    return found


def _class_options(tree: Tree, found: ClassRef) -> dict[str, Record]:
    """Fields of a class and its ancestors, defaults followed to where they are declared."""
    records: dict[str, Record] = {}
    for owner in reversed(lineage(tree, found)):
        docs = attribute_docs(owner)
        for name, declared, value in fields(owner):
            if name.startswith("_"):
                continue
            module, default, doc = _followed(tree, owner.module, value)
            record = field_record(tree, module, annotation(tree, owner.module, declared), default)
            if record is not None:
                record["source"] = owner.module.path
                if _names_enum(tree, owner.module, declared):
                    record.pop("choices", None)  # spelled by name or value, in any case: parsed by the class itself
                record.update(said(docs.get(name, "") or doc))
                records[name] = record
    return records


def _names_enum(tree: Tree, module: Module, declared: ast.expr) -> bool:
    for node in ast.walk(declared):
        if isinstance(node, ast.Name):
            try:
                owner = reference(tree, module, node)
            except Unfoldable:
                continue
            if isinstance(owner, ClassRef) and members(tree, owner) is not None:
                return True
    return False


def _followed(tree: Tree, module: Module, value: ast.expr | None) -> tuple[Module, ast.expr | None, str]:
    """Module and expression of a default that points to a field of another class, and that field's own text."""
    doc = ""
    for _ in range(_INDIRECTION):
        if isinstance(value, ast.Call) and text(value.func) == "get_field" and len(value.args) == 2:
            owner_node, name = value.args[0], getattr(value.args[1], "value", "")
        elif isinstance(value, ast.Attribute):
            owner_node, name = value.value, value.attr
        else:
            break
        try:
            owner = reference(tree, module, owner_node)
        except Unfoldable:
            break
        if not isinstance(owner, ClassRef):
            break
        target = next(
            ((item, default) for item in lineage(tree, owner) for field, _, default in fields(item) if field == name),
            None,
        )
        if target is None:
            break
        doc = attribute_docs(target[0]).get(name, "")
        module, value = target[0].module, target[1]
    return module, value, doc


def _parser(tree: Tree, engine: ClassRef) -> dict[str, Record]:
    """What the two `add_cli_args` add."""
    records: dict[str, Record] = {}
    for owner in reversed(lineage(tree, engine)):
        start = f"{owner.node.name}.add_cli_args"
        try:
            records.update(parser_records(tree, owner.module.path, start))
        except KeyError:
            continue
    return records


def _with_flags(options: dict[str, Record], parsed: dict[str, Record]) -> dict[str, Record]:
    """Fields with the command line's spellings; options that only the command line has are added."""
    for name, argument in parsed.items():
        record = options.get(name)
        if record is None:
            options[name] = argument
            continue
        record["flags"] = list(argument.get("flags", []))
        if argument.keys() & {"type", "nargs"}:
            record.update({key: argument[key] for key in ("nargs",) if key in argument})
        else:
            _generated(record)
        for key in ("stores", "deprecated", "deprecated_flags", "replaced_by"):
            if key in argument:
                record[key] = argument[key]
        if argument.get("choices") and not record.get("choices"):
            record["choices"] = argument["choices"]
    return options


def _generated(record: Record) -> None:
    """What vLLM's own generator makes of a field's type: a switch with a `--no-` form, or how many values follow."""
    kinds = {part.split("[")[0] for part in str(record.get("type", "")).split(" | ")}
    if kinds == {"bool", "str"} and record.get("nullable"):
        record["nargs"] = "?"
    elif "bool" in kinds:
        record["nargs"] = 0
        record["flags"] = record["flags"] + [f"--no-{flag[2:]}" for flag in record["flags"] if flag.startswith("--")]
    elif kinds & {"list", "tuple", "set"} and not record.get("choices"):
        record["nargs"] = "+"


def _server(tree: Tree, path: str, engine: dict[str, Record]) -> dict[str, Record]:
    parsed = {
        name: record
        for name, record in parser_records(tree, path, _SERVER).items()
        if name not in engine and record.get("flags")
    }
    frontend = find_class(tree, path, "FrontendArgs")
    if frontend is None:
        return parsed
    options = _class_options(tree, frontend)
    single = _single_valued(tree, frontend)
    for name, record in options.items():
        record["flags"] = [f"--{name.replace('_', '-')}"]
        _generated(record)
        if name in single:
            record.pop("nargs", None)
    return {**options, **parsed}


def _single_valued(tree: Tree, frontend: ClassRef) -> set[str]:
    """Options for which the class deletes the generated `nargs`: `del kwargs["x"]["nargs"]`."""
    return {
        str(target.value.slice.value)
        for owner in lineage(tree, frontend)
        for node in ast.walk(owner.node)
        if isinstance(node, ast.Delete)
        for target in node.targets
        if isinstance(target, ast.Subscript)
        and isinstance(target.slice, ast.Constant)
        and target.slice.value == "nargs"
        and isinstance(target.value, ast.Subscript)
        and isinstance(target.value.slice, ast.Constant)
    }


def environment(tree: Tree, path: str) -> dict[str, Record]:
    """Variables that a module lists with their readers, and what an unset one is worth."""
    module = tree.module(path)
    names = ("environment_variables", "env_variables")
    readers = (
        next((module.values[name] for name in names if name in module.values), None) if module is not None else None
    )
    if module is None or not isinstance(readers, ast.Dict):
        return {}
    found: dict[str, Record] = {}
    for key, value in zip(readers.keys, readers.values):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            found[key.value] = _variable(tree, module, key.value, value)
    return found


def _variable(tree: Tree, module: Module, name: str, reader: ast.expr) -> Record:
    record = getenv_record(tree, module, reader)
    declared = _declarations(module).get(name)
    if declared is not None:
        facts = annotation(tree, module, declared.annotation)
        record["type"] = facts.type or record.get("type", "")
        record["nullable"] = facts.nullable
        if facts.choices and not record.get("choices"):
            record["choices"] = facts.choices
        if "computed" in record and isinstance(declared.value, ast.Constant):
            # What the reader does is more than folding can follow; the release's own summary of it stands.
            record.pop("computed")
            record["default"] = declared.value.value
    return record


def _declarations(module: Module) -> dict[str, ast.AnnAssign]:
    """Annotated names under `if TYPE_CHECKING`."""
    return {
        node.target.id: node
        for block in module.tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
