"""Dataclasses and pydantic models as records."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from harvest.fold import ClassRef, Unfoldable, fold, members, reference, text
from harvest.records import Record
from harvest.tree import Module, Tree

__all__ = ["Annotation", "annotation", "class_records", "fields", "find_class", "lineage", "signature"]


@dataclass
class Annotation:
    """What a type annotation says."""

    type: str = ""
    nullable: bool = False
    choices: list[Any] = field(default_factory=list)
    nested: ClassRef | None = None
    """The class of the release that the type names, unless it is an enumeration."""
    extras: list[ast.expr] = field(default_factory=list)
    """The further arguments of `Annotated`."""


_ALIASES = {"List": "list", "Dict": "dict", "Tuple": "tuple", "Set": "set", "Sequence": "list", "Iterable": "list"}
_SAME = {
    "Path": "str",
    "PathLike": "str",
    "PosixPath": "str",
    "StrictBool": "bool",
    "StrictInt": "int",
    "StrictStr": "str",
    "PositiveInt": "int",
    "NonNegativeInt": "int",
    "PositiveFloat": "float",
    "NonNegativeFloat": "float",
}


def annotation(tree: Tree, module: Module, node: ast.expr | None) -> Annotation:
    """Reads an annotation that stands in `module`; an empty one where there is nothing to know."""
    if node is None:
        return Annotation()
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return annotation(tree, module, ast.parse(node.value, mode="eval").body)
        except SyntaxError:
            return Annotation(type=node.value)
    if isinstance(node, ast.Constant) and node.value is None:
        return Annotation(nullable=True)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([annotation(tree, module, node.left), annotation(tree, module, node.right)])
    if isinstance(node, ast.Subscript):
        return _subscript(tree, module, node)
    name = text(node).rsplit(".", 1)[-1]
    if name in ("Any", "object"):
        return Annotation()
    if name in _SAME or name in _ALIASES:
        return Annotation(type=_SAME.get(name) or _ALIASES[name])
    return _named(tree, module, node, name)


def _named(tree: Tree, module: Module, node: ast.expr, name: str) -> Annotation:
    if isinstance(node, ast.Name):
        found = tree.find(module, node.id)
        if found is not None and isinstance(found[1], (ast.Subscript, ast.BinOp)):
            return annotation(tree, found[0], found[1])  # an alias such as `Dtype = Literal[...]`
    try:
        target = reference(tree, module, node)
    except Unfoldable:
        return Annotation(type=name)
    if not isinstance(target, ClassRef):
        return Annotation(type=name)
    listed = members(tree, target)
    if listed is None:
        return Annotation(type=name, nested=target)
    values = list(dict.fromkeys(member.value for member in listed))  # a second name for a value is no second choice
    return Annotation(type=_kind(values), choices=values)


def _kind(values: list[Any]) -> str:
    return " | ".join(dict.fromkeys(type(value).__name__ for value in values if value is not None))


def _subscript(tree: Tree, module: Module, node: ast.Subscript) -> Annotation:
    outer = text(node.value).rsplit(".", 1)[-1]
    inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if outer == "Optional":
        return _union([annotation(tree, module, inner[0]), Annotation(nullable=True)])
    if outer == "Union":
        return _union([annotation(tree, module, item) for item in inner])
    if outer == "Annotated":
        found = annotation(tree, module, inner[0])
        found.extras = [*found.extras, *inner[1:]]
        return found
    if outer in ("Required", "NotRequired", "ReadOnly", "Final", "InitVar", "SkipValidation"):
        return annotation(tree, module, inner[0])
    if outer == "Literal":
        try:
            values = [fold(tree, module, item) for item in inner]
        except Unfoldable:
            return Annotation(type="str")
        return Annotation(
            type=_kind(values), choices=[item for item in values if item is not None], nullable=None in values
        )
    parts = [annotation(tree, module, item).type or "Any" for item in inner]
    name = _ALIASES.get(outer, outer)
    return Annotation(type=name if set(parts) == {"Any"} else f"{name}[{', '.join(parts)}]")


def _union(parts: list[Annotation]) -> Annotation:
    named = [part for part in parts if part.type]
    choices: list[Any] = []
    # Choices hold only if every arm has them: `Literal["auto"] | int` admits any integer.
    if named and all(part.choices for part in named):
        choices = list(dict.fromkeys(choice for part in named for choice in part.choices))
    return Annotation(
        type=" | ".join(dict.fromkeys(part.type for part in named)),
        nullable=any(part.nullable for part in parts),
        choices=choices,
        nested=next((part.nested for part in named if part.nested), None),
        extras=[extra for part in parts for extra in part.extras],
    )


def find_class(tree: Tree, path: str, name: str) -> ClassRef | None:
    """A class by the file and name under which it can be imported there."""
    module = tree.module(path)
    found = tree.find(module, name) if module is not None else None
    return ClassRef(found[0], found[1]) if found is not None and isinstance(found[1], ast.ClassDef) else None


def lineage(tree: Tree, found: ClassRef) -> list[ClassRef]:
    """The class and its ancestors within the release, in the order in which attributes are looked up."""
    seen: list[ClassRef] = [found]
    for base in found.node.bases:
        base = base.value if isinstance(base, ast.Subscript) else base
        try:
            parent = reference(tree, found.module, base)
        except Unfoldable:
            continue
        if isinstance(parent, ClassRef) and parent not in seen:
            inherited = lineage(tree, parent)
            # A shared ancestor comes after all that derive from it.
            seen = [item for item in seen if item not in inherited] + inherited
    return seen


def signature(tree: Tree, module: Module, function: ast.FunctionDef) -> dict[str, Record]:
    """Records of a function's parameters by name, `*args` and `**kwargs` left out."""
    spec = function.args
    positional = [*spec.posonlyargs, *spec.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(spec.defaults))
    pairs = [*zip(positional, [*missing, *spec.defaults]), *zip(spec.kwonlyargs, spec.kw_defaults)]
    found = {}
    for parameter, default in pairs:
        record = field_record(tree, module, annotation(tree, module, parameter.annotation), default)
        if record is not None:
            found[parameter.arg] = record
    return found


def fields(found: ClassRef) -> Iterator[tuple[str, ast.expr, ast.expr | None]]:
    """Name, annotation and default of each annotated attribute in a class's own body, also inside `if`."""
    yield from _fields(found.node.body)


def _fields(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr, ast.expr | None]]:
    for node in body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            if not text(node.annotation).startswith(("ClassVar", "typing.ClassVar")):
                yield node.target.id, node.annotation, node.value
        elif isinstance(node, ast.If):
            yield from _fields(node.body)
            yield from _fields(node.orelse)


def class_records(
    tree: Tree, found: ClassRef, *, prefix: str = "", inherit: bool = True, nested: bool = False
) -> dict[str, Record]:
    """Records of a dataclass or pydantic model by field name (after `prefix`), ancestors' fields first.

    `inherit` adds fields of ancestors within the release; `nested` also those of fields whose type is another class of
    it, under dotted names.
    """
    return _class_records(tree, found, prefix, (), inherit=inherit, nested=nested)


def _class_records(
    tree: Tree, found: ClassRef, prefix: str, above: tuple[str, ...], *, inherit: bool, nested: bool
) -> dict[str, Record]:
    records: dict[str, Record] = {}
    for owner in reversed(lineage(tree, found)) if inherit else [found]:
        for name, declared, value in fields(owner):
            if name.startswith("_"):
                continue
            facts = annotation(tree, owner.module, declared)
            record = field_record(tree, owner.module, facts, value)
            if record is None:
                records.pop(prefix + name, None)
                continue
            records[prefix + name] = record
            if nested and facts.nested is not None and facts.nested.node.name not in above:
                inner = (*above, facts.nested.node.name)
                records.update(
                    _class_records(tree, facts.nested, f"{prefix}{name}.", inner, inherit=inherit, nested=nested)
                )
        _redefine(tree, owner, prefix, records)
    return records


def _redefine(tree: Tree, owner: ClassRef, prefix: str, records: dict[str, Record]) -> None:
    """Bare `name = value` in a subclass changes the inherited field's default."""
    for node in owner.node.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            key = prefix + node.targets[0].id
            if key in records:
                record = records[key]
                changed = Record(**{k: v for k, v in record.items() if k not in ("default", "computed", "required")})
                _default(tree, owner.module, node.value, changed)
                changed["source"] = owner.module.path
                records[key] = changed


def _default(tree: Tree, module: Module, node: ast.expr, record: Record) -> None:
    if text(node).rsplit(".", 1)[-1] == "MISSING":  # OmegaConf's word for a value that must be given
        record["required"] = True
        return
    try:
        record["default"] = fold(tree, module, node)
    except Unfoldable:
        factory = _keyword(node, "default_factory")
        if isinstance(factory, ast.Lambda):
            record["computed"] = text(factory.body)
        elif factory is not None:
            record["computed"] = f"{text(factory)}()"
        else:
            record["computed"] = text(_keyword(node, "default") or node)


def _keyword(node: ast.expr, name: str) -> ast.expr | None:
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg == name:
                return keyword.value
    return None


_BOUNDS = {"ge": ("min", False), "gt": ("min", True), "le": ("max", False), "lt": ("max", True)}


def field_record(tree: Tree, module: Module, facts: Annotation, value: ast.expr | None) -> Record | None:
    """Record of one field from its annotation and default; None for a field that no user sets (`init=False`)."""
    record = Record(source=module.path, type=facts.type, nullable=facts.nullable, choices=list(facts.choices))
    calls = [item for item in [*facts.extras, value] if isinstance(item, ast.Call)]
    for call in calls:
        keywords = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
        if text(call.func).rsplit(".", 1)[-1] not in ("field", "Field", "Arg"):
            continue
        if "init" in keywords and text(keywords["init"]) == "False":
            return None
        _call_facts(tree, module, keywords, record)
    if value is None:
        record["required"] = True
    elif isinstance(value, ast.Call) and text(value.func).rsplit(".", 1)[-1] in ("field", "Field"):
        positional = value.args[0] if value.args else None
        if (positional is not None and text(positional) == "...") or (
            positional is None and not any(keyword.arg in ("default", "default_factory") for keyword in value.keywords)
        ):
            record["required"] = True
        else:
            _default(tree, module, value, record)
    else:
        _default(tree, module, value, record)
    return record


def _call_facts(tree: Tree, module: Module, keywords: dict[str, ast.expr], record: Record) -> None:
    for name, (bound, exclusive) in _BOUNDS.items():
        if name in keywords:
            try:
                record[bound] = fold(tree, module, keywords[name])
            except Unfoldable:
                continue
            if exclusive:
                record["exclusive"] = [*record.get("exclusive", []), bound]
    for name in ("alias", "validation_alias"):
        if name in keywords and isinstance(keywords[name], ast.Constant):
            record["aliases"] = [*record.get("aliases", []), fold(tree, module, keywords[name])]
    extra: dict[str, ast.expr] = {name: keywords[name] for name in ("deprecated", "new_param") if name in keywords}
    for holder in ("metadata", "json_schema_extra"):
        if isinstance(keywords.get(holder), ast.Dict):
            mapping = keywords[holder]
            assert isinstance(mapping, ast.Dict)
            extra.update({fold(tree, module, key): value for key, value in zip(mapping.keys, mapping.values) if key})
    if "deprecated" in extra:
        # A text or a decorator's object says "deprecated" as much as True does.
        record["deprecated"] = text(extra["deprecated"]) not in ("False", "None")
    for name, target in (("new_param", "replaced_by"), ("choices", "choices"), ("aliases", "aliases")):
        if name in extra or name in keywords:
            try:
                found = fold(tree, module, extra.get(name) or keywords[name])
            except Unfoldable:
                continue
            if found:
                record[target] = list(found) if target != "replaced_by" else found
