"""How an option is written in a document: the name as it stands there is kept, only the value is new."""

from __future__ import annotations

import json
import re
from typing import Any

from grpolint.rules.api import show
from grpolint.run import Run, Setting

__all__ = ["spell"]

_WRITTEN = {
    "flag": re.compile(r"(--?[A-Za-z][\w.+-]*)(=|\s|$)"),
    "yaml": re.compile(r"(\"[^\"\n]*\"|'[^'\n]*'|[^\s:#][^:\n]*?)(\s*:)(?=\s|$)"),
    "json": re.compile(r"(\"[^\"\n]*\"|'[^'\n]*'|\w+)(\s*:\s*)"),
    "python": re.compile(r"(\"[^\"\n]*\"|'[^'\n]*'|\w+)(\s*[:=]\s*)"),
}


def spell(key: str, value: Any, setting: Setting | None, run: Run, *, dashes: bool, negation: str = "") -> str:
    """The option with a new value, in the syntax of its document.

    A setting that stands in a document keeps its written name and separator. A new one is a flag where there is a
    launch (with dashes or underscores as `dashes` says), else a line of the document. A switch that is turned off
    is spelled with `negation` (`--no-`), or as an empty text where leaving it out is the only way.
    """
    form = setting.form if setting is not None else _form(run)
    name, separator = _written(setting, form)
    if form == "argument":
        return _quoted(show(value))
    if form == "flag":
        if not name:
            head, dot, rest = key.partition(".")
            name = "--" + (head.replace("_", "-") if dashes else head) + dot + rest
        if value is True and separator != "=":
            return name
        if value is False and separator != "=":
            return negation + name.lstrip("-") if negation else ""
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
