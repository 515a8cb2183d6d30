"""SGLang: server arguments and environment variables.

Three layouts: a dataclass beside a hand-written parser; annotations that carry the command line's facts
(`A[T, Arg(...)]`, from 0.5.14 on); and the same spread over namespace classes that are put together at import (0.5.20).
"""

from __future__ import annotations

import ast
import re
from typing import Any

from harvest.astread import (
    Annotation,
    ClassRef,
    Unfoldable,
    annotation,
    field_record,
    fields,
    find_class,
    fold,
    lineage,
    parser_records,
    reference,
    text,
)
from harvest.deprecation import said
from harvest.environment import getenv_record
from harvest.records import Record, Tables
from harvest.tree import Module, Tree

PACKAGE = "sglang"
LICENCE = "Apache-2.0"
INCLUDE = ("sglang/srt/*.py",)

_ARGS = "sglang/srt/server_args.py"
_ENV = "sglang/srt/environ.py"
_NAME = re.compile(r"SGL(?:ANG)?_[A-Z0-9_]+(?=[\"'])")  # begins with plain letters: a search ten times as fast
_READER = re.compile(r"(?:os\.getenv|os\.environ\.get|\bget_bool_env_var|\bget_int_env_var)\(\s*[\"']$")
_PLAIN = ("os", "int", "float", "bool", "str")
_NOTHING = ast.arguments([], [], None, [], [], None, [])


def tables(tree: Tree, version: str) -> Tables:  # noqa: ARG001
    """Tables `server` and `env`."""
    module = tree.module(_ARGS)
    found: Tables = {"env": _environment(tree)}
    if module is None:
        return found
    options = _declared(tree, module)
    # The parser first: its spellings for a field come after the generated ones.
    fields_of = _handed_over(module)
    for name, argument in parser_records(tree, _ARGS, "ServerArgs.add_cli_args").items():
        _merge(options, fields_of.get(name, name), argument)
    found["server"] = options
    return found


def _handed_over(module: Module) -> dict[str, str]:
    """Destinations of the parser that become another field: `args.tp_size = args.tensor_parallel_size`."""
    owner = module.classes.get("ServerArgs")
    return {
        node.value.attr: node.targets[0].attr
        for method in (owner.body if owner is not None else ())
        if isinstance(method, ast.FunctionDef) and method.name == "from_cli_args"
        for node in method.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Attribute)
        and isinstance(node.value, ast.Attribute)
        and text(node.targets[0].value) == text(node.value.value) == "args"
    }


def _declared(tree: Tree, module: Module) -> dict[str, Record]:
    owners = _namespaces(tree, module)
    if not owners:
        owner = find_class(tree, _ARGS, "ServerArgs")
        owners = list(reversed(lineage(tree, owner))) if owner is not None else []
    options: dict[str, Record] = {}
    for owner in owners:
        for name, declared, value in fields(owner):
            record = None if name.startswith("_") else _field(tree, owner.module, name, declared, value)
            if record is not None:
                options[name] = record
    return options


def _namespaces(tree: Tree, module: Module) -> list[ClassRef]:
    """The classes whose fields are put together to make ServerArgs."""
    listed = module.values.get("_INPUT_NAMESPACES")
    if not isinstance(listed, ast.List):
        return []
    found = []
    for node in listed.elts:
        try:
            owner = reference(tree, module, node)
        except Unfoldable:
            continue
        if isinstance(owner, ClassRef):
            found.append(owner)
    return found


def _field(tree: Tree, module: Module, name: str, declared: ast.expr, value: ast.expr | None) -> Record | None:
    facts = _annotated(tree, module, declared)
    record = field_record(tree, module, facts, value)
    if record is None or not facts.extras:
        return record
    record.pop("aliases", None)
    words, keywords = _argument(tree, module, facts.extras)
    if words is None and not keywords:
        return record
    record.update(said(words or ""))
    if _folded(tree, module, keywords.get("no_cli")) is True:
        return record
    spelled = _folded(tree, module, keywords.get("cli_name")) or f"--{name.replace('_', '-')}"
    record["flags"] = [spelled, *(_folded(tree, module, keywords.get("aliases")) or [])]
    _values(tree, module, name, keywords, record)
    return record


def _annotated(tree: Tree, module: Module, declared: ast.expr) -> Annotation:
    """The annotation, `A` read as `Annotated`."""
    if isinstance(declared, ast.Subscript) and text(declared.value) == "A":
        renamed = ast.Subscript(value=ast.Name("Annotated", ast.Load()), slice=declared.slice, ctx=ast.Load())
        return annotation(tree, module, ast.fix_missing_locations(ast.copy_location(renamed, declared)))
    return annotation(tree, module, declared)


def _argument(tree: Tree, module: Module, extras: list[ast.expr]) -> tuple[str | None, dict[str, ast.expr]]:
    """Help text and keywords of the metadata that an annotation carries: a bare text or `Arg(...)`."""
    for item in extras:
        if isinstance(item, ast.Call) and text(item.func).rsplit(".", 1)[-1] == "Arg":
            keywords = {keyword.arg: keyword.value for keyword in item.keywords if keyword.arg}
            return _words(tree, module, keywords.get("help")), keywords
        if isinstance(item, (ast.Constant, ast.JoinedStr, ast.BinOp)):
            return _words(tree, module, item) or "", {}
    return None, {}


def _words(tree: Tree, module: Module, node: ast.expr | None) -> str | None:
    if node is None:
        return None
    found = _folded(tree, module, node)
    if isinstance(found, str):
        return found
    parts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return "".join(parts)


def _folded(tree: Tree, module: Module, node: ast.expr | None) -> Any:
    if node is None:
        return None
    try:
        return fold(tree, module, node)
    except Unfoldable:
        return None


def _values(tree: Tree, module: Module, name: str, keywords: dict[str, ast.expr], record: Record) -> None:
    """How many values follow the spelling, and which are allowed."""
    kind = str(record.get("type", ""))
    choices = _folded(tree, module, keywords.get("choices"))
    if isinstance(choices, (list, tuple, set)):
        record["choices"] = sorted(choices) if isinstance(choices, set) else list(choices)
    nargs = _folded(tree, module, keywords.get("nargs"))
    if "action" in keywords:
        _own_action(tree, module, keywords, record)
    elif kind == "bool" and "type_parser" not in keywords:
        record["nargs"] = 0
        default = record.get("default")
        odd = [flag for flag in record["flags"] if flag.lstrip("-").replace("-", "_") != name]
        if odd or default is True:
            record["stores"] = dict.fromkeys(record["flags"] if default is True else odd, True)
    elif kind.startswith("list") and "type_parser" not in keywords:
        record["nargs"] = nargs or "+"
    elif nargs is not None:
        record["nargs"] = nargs
    if _folded(tree, module, keywords.get("required")) is False:
        record.pop("required", None)


def _own_action(tree: Tree, module: Module, keywords: dict[str, ast.expr], record: Record) -> None:
    action = text(keywords["action"]).strip("'\"").rsplit(".", 1)[-1]
    if action in ("store_true", "store_false"):
        record["nargs"] = 0
        record["stores"] = dict.fromkeys(record["flags"], action == "store_true")
    elif action == "BooleanOptionalAction":
        record["nargs"] = 0
        record["flags"] = record["flags"] + [f"--no-{flag[2:]}" for flag in record["flags"] if flag.startswith("--")]
    else:
        extra = keywords.get("action_kwargs")
        given = _folded(tree, module, extra) if extra is not None else None
        nargs = _folded(tree, module, keywords.get("nargs"))
        if isinstance(given, dict):
            nargs = given.get("nargs", nargs)
        record["nargs"] = (
            nargs if nargs is not None else ("+" if str(record.get("type", "")).startswith("list") else None)
        )
        if record["nargs"] is None:
            del record["nargs"]
    if "deprecated" in action.lower():
        record["deprecated"] = True


def _merge(options: dict[str, Record], name: str, argument: Record) -> None:
    """Adds what the hand-written parser says of an option."""
    record = options.get(name)
    if record is None:
        options[name] = argument
        return
    written = argument.get("flags", [])
    generated = record.get("flags", [])
    record["flags"] = list(dict.fromkeys([*generated, *written]))
    if not generated:
        if "nargs" in argument:
            record["nargs"] = argument["nargs"]
        record.update({key: argument[key] for key in ("deprecated", "replaced_by") if key in argument})
    elif argument.get("deprecated") and not record.get("deprecated"):
        retired = dict.fromkeys(written, argument.get("replaced_by", ""))
        record["deprecated_flags"] = {**record.get("deprecated_flags", {}), **retired}
    if argument.get("choices") and not (generated and argument.get("deprecated")):
        record["choices"] = argument["choices"]
    for key in ("stores", "deprecated_flags"):
        if key in argument:
            record[key] = {**record.get(key, {}), **argument[key]}


def _environment(tree: Tree) -> dict[str, Record]:
    """Variables that are read by name, and those of the class `Envs`, which releases since 0.5.3 have."""
    found = _read_by_name(tree)
    envs = find_class(tree, _ENV, "Envs") if _ENV in tree else None
    for node in envs.node.body if envs is not None else ():
        if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
            continue
        kind = text(node.value.func)
        if not kind.startswith("Env"):
            continue
        name = node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""
        if envs is not None:
            found[name] = _variable(tree, envs.module, kind, node.value)
    return found


_KINDS = {"Bool": "bool", "Int": "int", "Float": "float", "Str": "str", "JSON": "dict", "Tuple": "list[str]"}


def _variable(tree: Tree, module: Module, kind: str, call: ast.Call) -> Record:
    bare = kind.removeprefix("Env").removesuffix("WithAlias")
    record = Record(type=_KINDS.get(bare, ""), source=module.path)
    if call.args:
        try:
            record["default"] = fold(tree, module, call.args[0])
        except Unfoldable:
            record["computed"] = text(call.args[0])
    for node in call.args[1:]:
        other = _folded(tree, module, node)
        if isinstance(other, str):
            record["aliases"] = [*record.get("aliases", []), other]
    return record


def _read_by_name(tree: Tree) -> dict[str, Record]:
    """`SGLANG_...` and `SGL_...` variables in calls that read the environment, the first reader's default.

    The calls are cut out of the text: parsing some thousand files for them takes ten times as long.
    """
    found: dict[str, Record] = {}
    for path in tree.paths("sglang/srt/", ".py"):
        words = tree.text(path)
        for match in _NAME.finditer(words):
            before = max(0, match.start() - 80)
            reader = _READER.search(words[before : match.start()]) if match[0] not in found else None
            call = _call_at(words, before + reader.start()) if reader is not None else None
            record = _read(tree, path, call) if call is not None else None
            if record is not None:
                found[match[0]] = record
    return found


def _call_at(words: str, start: int) -> ast.Call | None:
    """The call that begins at a position, up to the bracket that closes it."""
    depth = 0
    for at in range(start, min(len(words), start + 600)):
        if words[at] == "(":
            depth += 1
        elif words[at] == ")":
            depth -= 1
            if depth <= 0:
                try:
                    node = ast.parse(words[start : at + 1], mode="eval").body
                except SyntaxError:
                    continue  # a bracket inside a text
                return node if isinstance(node, ast.Call) else None
    return None


def _read(tree: Tree, path: str, node: ast.Call) -> Record | None:
    module = Module(path, ast.Module([], []), is_package=False)
    if any(isinstance(part, ast.Name) and part.id not in _PLAIN for item in node.args for part in ast.walk(item)):
        module = tree.module(path) or module
    reader = text(node.func).rsplit(".", 1)[-1]
    if reader in ("getenv", "get"):
        return getenv_record(tree, module, ast.Lambda(args=_NOTHING, body=node))
    given = _folded(tree, module, node.args[1]) if len(node.args) > 1 else None
    if reader == "get_bool_env_var":
        return Record(type="bool", default=str(given or "false").lower() in ("true", "1"), source=path)
    return Record(type="int", default=given if given is not None else 0, source=path)
