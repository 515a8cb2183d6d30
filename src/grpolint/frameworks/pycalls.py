"""Calls in Python files as settings: which calls a file makes, and their keyword arguments with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as Listed
from typing import TYPE_CHECKING

from grpolint.documents.nodes import Entry, Opaque, Scalar, Sequence
from grpolint.documents.nodes import Mapping as Tree
from grpolint.frameworks.flags import Syntax, guess, read_flags
from grpolint.frameworks.trees import node_value, tree_settings
from grpolint.launch import Part, Word
from grpolint.regex import regex
from grpolint.run import Run, Setting, Settings
from grpolint.values import Known, Origin, Unknown, Value

if TYPE_CHECKING:
    from grpolint.documents.nodes import Node
    from grpolint.documents.python import Call, PythonDocument

__all__ = [
    "argument",
    "argument_value",
    "bind",
    "call_settings",
    "calls",
    "given_values",
    "imports",
    "merged",
    "put_calls",
    "put_environment",
]

_DIRECT = regex(
    r"[\w.]+|(?:\w+\(\s*)?os\.(?:environ\.get|getenv)\([^()]*\)\s*\)?|(?:\w+\(\s*)?os\.environ\[[^\]]*\]\s*\)?"
)
"""Expressions that are what they name, at most converted: `args.lr`, `int(os.environ.get("N", 8))`."""


def calls(document: PythonDocument, *names: str) -> Iterator[Call]:
    """The calls of these names, in order: a dotted name means the whole name, any other its last component."""
    for call in document.calls:
        if call.last in names or call.name in names:
            yield call


def imports(document: PythonDocument, *packages: str) -> bool:
    """Whether the file, or a cell of the notebook, imports one of these packages."""
    if any(origin.split(".", 1)[0] in packages for origin in document.imports.values()):
        return True
    star = re.search(r"\bfrom\s+(?:" + "|".join(packages) + r")\b[\w.]*\s+import\s+\*", document.source.text)
    return star is not None


def argument(call: Call, name: str, position: int | None = None) -> Node | None:
    """The argument given under a keyword, or at a position; None if it is not given."""
    node = call.arguments.get(name)
    if node is None and position is not None and position < len(call.positional):
        return call.positional[position]
    return node


def argument_value(call: Call, name: str, position: int | None = None) -> Value | None:
    """Value of an argument, None if it is not given."""
    node = argument(call, name, position)
    return node_value(node, "pyyaml", Origin("keyword", node.span, name)) if node is not None else None


def call_settings(
    call: Call, framework: str, positional: Listed[str] = (), rename: Mapping[str, str] | None = None
) -> list[Setting]:
    """The arguments of a call as settings; `positional` names the first positional ones, `rename` maps other names.

    Where the call stands in a branch that nobody can decide, every value is unknown.
    """
    found: list[Setting] = []
    for name, node in zip(positional, call.positional):
        value = node_value(node, "pyyaml", Origin("keyword", node.span, name))
        found.append(Setting(framework, name, value, node.span, "argument"))
    for setting in tree_settings(framework, call.arguments, "python", "pyyaml"):
        head, dot, rest = setting.key.partition(".")
        key = (rename or {}).get(head, head) + dot + rest
        found.append(Setting(framework, key, setting.value, setting.span, "python"))
    if call.condition is not None:
        return [_unknown(setting, call.condition) for setting in found]
    return found


def merged(several: Iterable[Call], framework: str, positional: Listed[str] = ()) -> list[Setting]:
    """The settings of several calls that configure the same thing: one that differs between them is unknown."""
    by_call = [(call, call_settings(call, framework, positional)) for call in several]
    if len(by_call) == 1:
        return by_call[0][1]
    found: dict[str, list[Setting]] = {}
    for _, settings in by_call:
        for setting in settings:
            found.setdefault(setting.key, []).append(setting)
    result: list[Setting] = []
    for same in found.values():
        values = [setting.value.value for setting in same if isinstance(setting.value, Known)]
        if len(same) == len(by_call) == len(values) and all(value == values[0] for value in values):
            result.append(same[0])
        else:
            span = same[-1].span
            result.append(_unknown(same[0], f"branch:{span.line if span is not None else 0}"))
    return result


def put_calls(several: Listed[Call], settings: Settings, positional: Listed[str] = ()) -> None:
    """Put the arguments of calls into `settings`; arguments that cannot be read open its end."""
    for setting in merged(several, settings.framework, positional):
        settings.put(setting)
    for call in several:
        if call.open_ended:
            settings.open_reason = f"expression:**arguments of {call.written}"


def given_values(document: PythonDocument, run: Run, supplied: Mapping[str, str]) -> dict[str, Value]:
    """What is given to the script from outside, by the reasons that stand in its document: `argument:--lr`, `env:NAME`.

    `supplied` are environment variables that the user says the program sees.
    """
    found: dict[str, Value] = {}
    for name, text in supplied.items():
        found["env:" + name] = Known(guess(text), (Origin("--env", None, name),))
    if run.launch is None:
        return found
    for name in run.env:
        value = run.environment(name)
        if value is not None:
            found["env:" + name] = Known(guess(value.value), value.origins) if isinstance(value, Known) else value
    reading = read_flags(run.launch.argv, Syntax("script"))
    by_dest = {flag.dest: flag.value for flag in reading.flags}
    for option in document.options:
        dest = option.name.lstrip("-").replace("-", "_")
        if dest in by_dest:
            found["argument:" + option.name] = by_dest[dest]
        elif reading.open_reason is not None:
            found["argument:" + option.name] = Unknown(reading.open_reason)
    return found


def bind(call: Call, given: Mapping[str, Value]) -> Call:
    """The call with what is given from outside put in place of the script's own defaults."""
    if not given:
        return call
    arguments = _bound(call.arguments, given)
    positional = tuple(_bound(node, given) for node in call.positional)
    assert isinstance(arguments, Tree)
    return type(call)(
        call.name,
        call.written,
        call.span,
        positional,
        arguments,
        call.texts,
        call.made_by,
        call.open_ended,
        call.condition,
        call.target,
        call.function,
    )


def _bound(node: Node, given: Mapping[str, Value], written: str = "") -> Node:
    """The node with given values put in; `written` is the expression at the call."""
    if isinstance(node, Opaque) and node.reason in given:
        value = given[node.reason]
        if not _DIRECT.fullmatch(written or node.span.text.strip()):
            return Opaque(node.span, node.reason)  # computed from it, by an expression that is not evaluated again
        if isinstance(value, Unknown):
            return Opaque(node.span, value.reason)
        span = next((origin.span for origin in value.origins if origin.span is not None), node.span)
        return Scalar(span, span.text, value.value)
    if isinstance(node, Tree):
        return Tree(node.span, tuple(_bound_entry(entry, given) for entry in node.entries))
    if isinstance(node, Sequence):
        return Sequence(node.span, tuple(_bound(item, given) for item in node.items))
    return node


def _bound_entry(entry: Entry, given: Mapping[str, Value]) -> Entry:
    written = entry.span.text[len(entry.key_span.text) :].strip(" =:\n")
    return Entry(entry.key, entry.key_span, _bound(entry.value, given, written), entry.span)


def put_environment(document: PythonDocument, run: Run) -> None:
    """Variables that the file puts into `os.environ` are part of the run's environment."""
    for entry in document.environment:
        value = node_value(entry.value, "pyyaml", Origin("assignment", entry.span))
        if isinstance(value, Known):
            part = Part(str(value.value), None, value.origins)
        else:
            part = Part(None, value.reason if isinstance(value, Unknown) else "expression", value.origins)
        run.env[entry.key] = Word((part,), entry.span)


def _unknown(setting: Setting, reason: str) -> Setting:
    value = Unknown(reason, setting.value.origins)
    return Setting(setting.framework, setting.key, value, setting.span, setting.form)
