"""Calls in Python files as settings: which calls a file makes, and their keyword arguments with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from grpolint.frameworks.trees import node_value, tree_settings
from grpolint.run import Setting, Settings
from grpolint.values import Known, Origin, Unknown, Value

if TYPE_CHECKING:
    from grpolint.documents.nodes import Node
    from grpolint.documents.python import Call, PythonDocument

__all__ = ["argument", "argument_value", "call_settings", "calls", "imports", "merged", "put_calls"]


def calls(document: PythonDocument, *names: str) -> Iterator[Call]:
    """The calls of these names, in order: a dotted name means the whole name, any other its last component."""
    for call in document.calls:
        if call.last in names or call.name in names:
            yield call


def imports(document: PythonDocument, *packages: str) -> bool:
    """Whether the file, or a cell of the notebook, imports one of these packages."""
    found = re.search(r"\b(?:from|import)\s+(?:" + "|".join(packages) + r")\b", document.source.text)
    return found is not None


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
    call: Call, framework: str, positional: Sequence[str] = (), rename: Mapping[str, str] | None = None
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


def merged(several: Iterable[Call], framework: str, positional: Sequence[str] = ()) -> list[Setting]:
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


def put_calls(several: Sequence[Call], settings: Settings, positional: Sequence[str] = ()) -> None:
    """Put the arguments of calls into `settings`; arguments that cannot be read open its end."""
    for setting in merged(several, settings.framework, positional):
        settings.put(setting)
    for call in several:
        if call.open_ended:
            settings.open_reason = f"expression:**arguments of {call.written}"


def _unknown(setting: Setting, reason: str) -> Setting:
    value = Unknown(reason, setting.value.origins)
    return Setting(setting.framework, setting.key, value, setting.span, setting.form)
