"""How an option is written in a document: the name as it stands there is kept, only the value is new."""

from __future__ import annotations

import json
import re
from typing import Any

from grpolint.catalog import Option
from grpolint.frameworks.flags import Syntax, stores
from grpolint.regex import regex
from grpolint.rules.api import show
from grpolint.run import Run, Setting

__all__ = ["spell"]

_WRITTEN = {
    "flag": regex(r"(--?[A-Za-z][\w.+-]*)(=|\s|$)"),
    "yaml": regex(r"(\"[^\"\n]*\"|'[^'\n]*'|[^\s:#][^:\n]*?)(\s*:)(?=\s|$)"),
    "json": regex(r"(\"[^\"\n]*\"|'[^'\n]*'|\w+)(\s*:\s*)"),
    "python": regex(r"(\"[^\"\n]*\"|'[^'\n]*'|\w+)(\s*[:=]\s*)"),
}


def spell(
    key: str, value: Any, setting: Setting | None, run: Run, syntax: Syntax | None = None, *, dashes: bool
) -> str:
    """The option with a new value, in the syntax of its document.

    A setting that stands in a document keeps its written name and separator. A new one is a flag where there is a
    launch (by its name in the catalog, else with dashes or underscores as `dashes` says), else a line of the document.
    A switch is spelled by the flag that stores the value, as an empty text where leaving it out is the only way.
    """
    form = setting.form if setting is not None else _form(run)
    name, separator = _written(setting, form)
    if form == "argument":
        return _quoted(show(value))
    if form == "flag":
        syntax = syntax if syntax is not None else Syntax("")
        option = syntax.option(key)
        if isinstance(value, bool) and separator != "=" and _is_switch(key, option, syntax):
            return _switch(name or _flag(key, option, dashes), value, option, syntax)
        name = name or _flag(key, option, dashes)
        text = json.dumps(value) if isinstance(value, (dict, list)) else show(value)
        return f"{name}{separator if separator == '=' else ' '}{_quoted(text)}"
    last = key.rsplit(".", 1)[-1]
    if form == "json":
        return f"{name or json.dumps(last)}{separator or ': '}{json.dumps(value)}"
    if form == "python":
        return f"{name or last}{separator or '='}{value!r}"
    if form == "yaml":
        return f"{name or last}: {json.dumps(value) if isinstance(value, (dict, list)) else show(value)}"
    return f"{key}={show(value)}"


def _flag(key: str, option: Option | None, dashes: bool) -> str:
    """How a new option is typed."""
    for flag in option.record.get("flags", ()) if option is not None else ():
        if flag.startswith("--"):
            return str(flag)
    head, dot, rest = key.partition(".")
    return "--" + (head.replace("_", "-") if dashes else head) + dot + rest


def _is_switch(key: str, option: Option | None, syntax: Syntax) -> bool:
    if syntax.bool_values:
        return False
    return key in syntax.switches or option is None or option.record.get("nargs") == 0


def _switch(name: str, value: bool, option: Option | None, syntax: Syntax) -> str:
    """The flag that stores `value`: the written one if it does, else another of the same option, else none."""
    if option is None:
        return name if value else ""
    for flag in (name, *option.record.get("flags", ())):
        if flag.startswith("--") and stores(flag, option, syntax) == (value,):
            return str(flag)
    return ""


def _form(run: Run) -> str:
    """The form of an option that no document has yet."""
    if run.launch is not None:
        return "flag"
    return {"json": "json", "py": "python", "ipynb": "python"}.get(run.source.path.rsplit(".", 1)[-1].lower(), "yaml")


def _written(setting: Setting | None, form: str) -> tuple[str, str]:
    """Name and separator as they stand in the document; empty texts where nothing stands there."""
    pattern = _WRITTEN.get(form)
    if setting is None or setting.span is None or pattern is None:
        return "", ""
    found = pattern.match(setting.span.text)
    return (found[1], found[2]) if found is not None else ("", "")


def _quoted(text: str) -> str:
    """A shell word that reads as `text`."""
    if re.fullmatch(r"[\w@%+=:,./-]+", text):
        return text
    return "'" + text.replace("'", "'\"'\"'") + "'"
