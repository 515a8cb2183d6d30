"""Command line options that a Python file declares: argparse, and dataclasses that a parser fills."""

from __future__ import annotations

import ast

from grpolint.documents.folding import Folder
from grpolint.documents.nodes import Mapping, Node, Opaque, Scalar, Sequence
from grpolint.documents.scopes import Instance, Option, Parser, Scope, Several, Value
from grpolint.documents.text import Text

__all__ = ["add_argument", "filled", "parameter", "parsed"]

_PARSERS = frozenset(("HfArgumentParser", "TrlParser", "ArgumentParser"))


def filled(folder: Folder, made: Instance, *, declare: bool = False) -> Instance:
    """An instance whose fields the command line may set: each is unknown, with its default."""
    fields: dict[str, Value] = {}
    for name, value in made.fields.items():
        default = folder.node(value, ast.Name(name)) if isinstance(value, (Mapping, Sequence, Scalar, Text)) else None
        span = value.span if isinstance(value, (Mapping, Sequence, Scalar, Opaque, Text)) else None
        if span is None:
            fields[name] = value
            continue
        fields[name] = Opaque(span, f"argument:--{name}", default)
        if declare:
            folder.options.append(Option(f"--{name}", name, default, span))
    return Instance(made.name, fields)


def parsed(folder: Folder, expr: ast.expr, scope: Scope) -> Value | None:
    """Argument parsers and what they give; None for anything else."""
    if not isinstance(expr, ast.Call):
        return None
    name = (folder.resolve(expr.func) or "").rpartition(".")[2]
    if name in _PARSERS:
        parser = Parser()
        classes = (
            expr.args[0] if expr.args else next((k.value for k in expr.keywords if k.arg == "dataclass_types"), None)
        )
        if name != "ArgumentParser" and classes is not None:
            for part in classes.elts if isinstance(classes, (ast.Tuple, ast.List)) else [classes]:
                known = folder.classes.get(part.id) if isinstance(part, ast.Name) else None
                parser.classes.append(filled(folder, known, declare=True) if known is not None else None)
        return parser
    owner = folder.fold(expr.func.value, scope) if isinstance(expr.func, ast.Attribute) else None
    if not isinstance(owner, Parser):
        return None
    if name in {"parse_args", "parse_known_args"} and not owner.classes:
        made = Instance(
            "arguments",
            {one.dest: Opaque(one.span, f"argument:{one.name}", one.default) for one in owner.options.values()},
        )
        return made if name == "parse_args" else Several((made, folder.opaque(expr)))
    if name.startswith("parse_") and owner.classes:
        return Several(tuple(one if one is not None else folder.opaque(expr) for one in owner.classes))
    return None


def add_argument(folder: Folder, parser: Parser, call: ast.Call, scope: Scope) -> None:
    """Declare the option of one `add_argument` call."""
    found = [folder.plain(folder.fold(part, scope)) for part in call.args]
    flags = [name for done, name in found if done and isinstance(name, str)]
    if not flags or len(parser.options) > 5_000:
        return
    keywords = {part.arg: part.value for part in call.keywords if part.arg is not None}
    name = next((flag for flag in flags if flag.startswith("--")), flags[0])
    dest = (
        folder.plain(folder.fold(keywords["dest"], scope))[1]
        if "dest" in keywords
        else name.lstrip("-").replace("-", "_")
    )
    action = folder.plain(folder.fold(keywords["action"], scope))[1] if "action" in keywords else None
    span = folder.places.span(call)
    default: Node | None = None
    if "default" in keywords:
        default = folder.node(folder.fold(keywords["default"], scope), keywords["default"])
    elif action in {"store_true", "store_false"}:
        default = Scalar(span, "", action == "store_false")
    elif name.startswith("-") and "required" not in keywords:
        default = Scalar(span, "", None)
    option = Option(name, str(dest), default, span)
    parser.options[option.dest] = option
    folder.options.append(option)


def parameter(folder: Folder, argument: ast.arg, default: Value | None) -> Value:
    """A function's parameter of which no call is known: unknown, or an instance of the class it is annotated with."""
    annotation = argument.annotation
    if default is None and isinstance(annotation, ast.Name) and annotation.id in folder.classes:
        return filled(folder, folder.classes[annotation.id])
    spare = (
        folder.node(default, ast.Name(argument.arg)) if isinstance(default, (Mapping, Sequence, Scalar, Text)) else None
    )
    return Opaque(folder.places.span(argument), f"argument:{argument.arg}", spare)
